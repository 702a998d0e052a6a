import type { SignInMethod } from '../../../shared/audit/access-tables.ts';
import type { Change } from '../../../shared/domain/record/record-event.ts';
import { type ChangeKind, type changeActions, changeKinds } from './change-index.ts';

export const auditKinds = ['signIn', ...changeKinds] as const;
export type AuditKind = 'signIn' | ChangeKind;

/** A change of permissions, or a sign-in. */
export interface AuditEntry {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: AuditKind;
  readonly action: (typeof changeActions)[number] | 'signedIn' | 'refused';
  /** The acting user; for a sign-in the user with the name that was sent, or null if the name is unknown. */
  readonly byId: string | null;
  readonly byName: string | null;
  /** The administrator who acted as this user. */
  readonly administratorId?: string;
  readonly administratorName?: string | null;
  /** The trace id of the request. */
  readonly requestId: string | null;
  /** Null for a sign-in. */
  readonly record: {
    readonly entityType: string;
    readonly id: string;
    readonly name: string | null;
    readonly version: number;
  } | null;
  /** Null for a sign-in, and for a change that Postgres does not have yet. */
  readonly changes: readonly Change[] | null;
  /** Null for a change. */
  readonly signIn: {
    readonly userName: string | null;
    readonly method: SignInMethod;
    readonly address: string;
    readonly reason: string | null;
    readonly attempts: number;
  } | null;
}
