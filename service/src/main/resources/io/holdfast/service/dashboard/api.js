// What is asked of the service.

const LIMIT_MILLIS = 30_000;

export class NoAnswer extends Error {
  constructor(message, status) {
    super(message);
    this.status = status;
  }
}

/** The JSON at a path; with a body, a POST. */
export async function ask(path, body) {
  let response;
  try {
    response = await fetch(path, {
      signal: AbortSignal.timeout(LIMIT_MILLIS),
      method: body === undefined ? 'GET' : 'POST',
      headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      body: body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body),
    });
  } catch (error) {
    throw new NoAnswer(error.message, 0);
  }
  if (!response.ok) {
    throw new NoAnswer(await detail(path, response), response.status);
  }
  return response.json();
}

/** What a problem says of itself. */
async function detail(path, response) {
  try {
    const problem = await response.json();
    return problem.detail ?? problem.title ?? `${path} answered ${response.status}`;
  } catch {
    return `${path} answered ${response.status}`;
  }
}

export function ofModel(name, rest) {
  return `api/v1/models/${encodeURIComponent(name)}/${rest}`;
}
