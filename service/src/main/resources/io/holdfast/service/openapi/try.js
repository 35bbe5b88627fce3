'use strict';

// The page at /openapi/: the document of this service, to read and to try, with nothing from elsewhere.
window.SwaggerUIBundle({
  url: '../api/v1/openapi.yaml',
  dom_id: '#api',
  validatorUrl: null,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
});
