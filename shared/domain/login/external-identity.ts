import type { RecordState } from '../record/record-state.ts';

/**
 * Entity type of accounts at OpenID Connect providers in the directory log, each linked to one user. The record id is
 * derived from issuer and subject, so two simultaneous first sign-ins of an account decide about the same record.
 */
export const externalIdentityType = 'ExternalIdentity';

export interface ExternalIdentity {
  readonly id: string;
  readonly issuer: string;
  /** The `sub` claim, which the provider never reassigns. */
  readonly subject: string;
  readonly userId: string;
  /** How the provider names the account, for people. */
  readonly accountName: string;
  /** In ms since 1970. */
  readonly linkedAtMs: number;
}

/** Returns undefined if the account is not linked. */
export function toExternalIdentity(state: RecordState | undefined): ExternalIdentity | undefined {
  const { issuer, subject, userId, accountName, linkedAtMs } = state?.values ?? {};
  if (state === undefined || typeof userId !== 'string') return undefined;
  return {
    id: state.id,
    issuer: String(issuer),
    subject: String(subject),
    userId,
    accountName: String(accountName ?? ''),
    linkedAtMs: Number(linkedAtMs),
  };
}
