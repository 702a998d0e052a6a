import type { Directory } from '../../domain/directory/directory.ts';
import type { AuthToken, TokenLifetime } from '../../domain/login/auth-token.ts';
import type { SecretBox } from '../../secrets/secret-box.ts';

/** The writes that a login makes. Absent in a process that only reads. */
export interface ProofWrites {
  recordTokenUse(token: AuthToken): void;
  /** Records that a code was used; returns false if any instance has already accepted this code or a newer one. */
  acceptCode(userId: string, step: number): Promise<boolean>;
  /** Removes a recovery code, by its keyed hash; returns false if any instance has already accepted it. */
  acceptRecoveryCode(userId: string, hash: string): Promise<boolean>;
}

/** Dependencies for finding the user of a request. */
export interface LoginDeps {
  readonly directory: Directory;
  readonly secrets: SecretBox;
  readonly tokenLifetime: TokenLifetime;
  readonly writes: ProofWrites;
  /** Waits briefly for entries from other instances: a token or key may be a few milliseconds old. */
  readonly catchUp: () => Promise<void>;
  readonly now: () => number;
}
