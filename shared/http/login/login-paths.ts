/** The paths on the internal listener of an api through which processes without a writer record log-ins. */
export const loginPaths = {
  tokenUses: '/internal/logins/token-uses',
  codes: '/internal/logins/codes',
  recoveryCodes: '/internal/logins/recovery-codes',
} as const;

/** The bodies of requests to these paths. */
export interface LoginBodies {
  readonly tokenUses: { readonly ids: readonly string[] };
  readonly codes: { readonly userId: string; readonly step: number };
  readonly recoveryCodes: { readonly userId: string; readonly hash: string };
}

/** The response to a code. */
export interface CodeAnswer {
  readonly isAccepted: boolean;
}
