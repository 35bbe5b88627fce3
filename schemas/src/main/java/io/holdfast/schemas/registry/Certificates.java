package io.holdfast.schemas.registry;

import io.holdfast.schemas.Sentence;
import io.holdfast.schemas.settings.Registry.Store;
import io.holdfast.schemas.settings.Registry.Tls;
import io.holdfast.schemas.settings.SettingsException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Reads stores of keys and certificates. Stateless. */
final class Certificates {
  private Certificates() {}

  /** TLS with those stores. Throws SettingsException in a sentence, if one cannot be read. */
  static SSLContext context(Tls tls) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(tls.keys()), trusted(tls.trusted()), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new SettingsException("the stores of holdfast.registry are no TLS: " + e.getMessage());
    }
  }

  private static KeyManager @Nullable [] keys(@Nullable Store store)
      throws GeneralSecurityException {
    if (store == null) {
      return null;
    }
    var factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    factory.init(load(store, "keystore"), password(store));
    return factory.getKeyManagers();
  }

  private static TrustManager @Nullable [] trusted(@Nullable Store store)
      throws GeneralSecurityException {
    if (store == null) {
      return null;
    }
    var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(load(store, "truststore"));
    return factory.getTrustManagers();
  }

  private static KeyStore load(Store store, String key) {
    try {
      return KeyStore.getInstance(store.file().toFile(), password(store));
    } catch (IOException | GeneralSecurityException e) {
      throw new SettingsException(
          Sentence.of(
              "holdfast.registry.%s must be a PKCS#12 or JKS file that %sPassword opens: %s (%s)",
              key, key, store.file(), RegistryHttp.cut(String.valueOf(e.getMessage()))));
    }
  }

  private static char @Nullable [] password(Store store) {
    String password = store.password();
    return password == null ? null : password.toCharArray();
  }
}
