/** The nonce with which the content security policy allows styles written by scripts. */
export const styleNonce =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Some libraries read the nonce only from this global.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
