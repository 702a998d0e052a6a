import { limitConcurrency } from '../../../shared/runtime/limit-concurrency.ts';
import { hashPassword } from '../../../shared/secrets/password-hash.ts';

const oneByOne = limitConcurrency(1);

/** Hashes a new password. One at a time in this process, because other work also needs the thread pool. */
export const hashOneByOne = (password: string): Promise<string> =>
  oneByOne(() => hashPassword(password));
