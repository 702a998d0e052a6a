import type { Directory } from '../../domain/directory/directory.ts';
import { Refusal } from '../../domain/errors.ts';
import type { RecordState } from '../../domain/record/record-state.ts';
import { createCheckPassword } from './check-password.ts';
import { createLoginLimit } from './login-limit.ts';
import { passwordHashOf } from './password-hash-of.ts';

interface PasswordDeps {
  readonly directory: Pick<Directory, 'userByName'>;
  readonly now: () => number;
}

interface Attempt {
  /** The client's address. */
  readonly address: string;
  readonly userName: string;
  readonly password: string;
}

export interface ProvePassword {
  /**
   * The user whose password this is; undefined for a wrong one, which counts as a failed login. Refuses an address with
   * too many of them.
   */
  prove(attempt: Attempt): Promise<RecordState | undefined>;
  noteFailure(address: string): void;
}

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;

export function createProvePassword({ directory, now }: PasswordDeps): ProvePassword {
  const limit = createLoginLimit({ maxFailures: MAX_FAILURES, windowMs: WINDOW_MS, now });
  const checkPassword = createCheckPassword();

  function refuseIfExceeded(address: string): void {
    if (!limit.isExceeded(address)) return;
    throw new Refusal('forbidden', 'login.limited', 'Too many failed logins from this address.');
  }

  return {
    noteFailure: limit.noteFailure,
    async prove({ address, userName, password }) {
      refuseIfExceeded(address);
      const user = directory.userByName(userName);
      const login = {
        address,
        userId: user?.id ?? '',
        password,
        passwordHash: passwordHashOf(user),
      };
      // Checked again right before hashing: guesses that wait in the queue must not exceed the limit.
      const isRight = await checkPassword(login, () => refuseIfExceeded(address));
      return isRight ? user : undefined;
    },
  };
}
