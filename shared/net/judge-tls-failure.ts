/**
 * `untrusted`: nobody who is trusted vouches for the certificate. `misnamed`: it is another host's. `outdated`: its time
 * is over, or has not come. `refused`: the two sides found no common ground, or one of them does not speak TLS at all.
 */
export type TlsFailure = 'untrusted' | 'misnamed' | 'outdated' | 'refused';

const forms: readonly (readonly [RegExp, TlsFailure])[] = [
  [/^(?:ERR_TLS_CERT_ALTNAME_\w+|HOSTNAME_MISMATCH)$/, 'misnamed'],
  [/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/, 'outdated'],
  [/^(?:UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|CERT_|INVALID_(?:CA|PURPOSE)$)/, 'untrusted'],
  [/^(?:ERR_SSL_|ERR_TLS_|EPROTO$)/, 'refused'],
];

/** By the code of Node's error; undefined for an error that is not about TLS. */
export function judgeTlsFailure(code: string): TlsFailure | undefined {
  return forms.find(([form]) => form.test(code))?.[1];
}
