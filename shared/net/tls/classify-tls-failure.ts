/**
 * `untrusted`: no trusted authority signed the certificate. `misnamed`: it is for another host. `outdated`: it has
 * expired or is not valid yet. `refused`: the two sides share no protocol or cipher, or one of them does not use TLS.
 */
export type TlsFailure = 'untrusted' | 'misnamed' | 'outdated' | 'refused';

const forms: readonly (readonly [RegExp, TlsFailure])[] = [
  [/^(?:ERR_TLS_CERT_ALTNAME_\w+|HOSTNAME_MISMATCH)$/, 'misnamed'],
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/, 'outdated'],
  [/^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_(?:CA|PURPOSE)$)/, 'untrusted'],
  [/^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/, 'refused'],
];

/** Classifies the code of a Node error; undefined if the error is not about TLS. */
export function classifyTlsFailure(code: string): TlsFailure | undefined {
  return forms.find(([form]) => form.test(code))?.[1];
}
