/** With it the page's policy takes styles that scripts write. */
export const styleNonce =
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';

// Libraries that know no other way look here.
Object.assign(globalThis, { __webpack_nonce__: styleNonce });
