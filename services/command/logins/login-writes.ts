import { randomBytes } from 'node:crypto';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  type AuthToken,
  isExpired,
  type TokenLifetime,
  toTokenValues,
} from '../../../shared/domain/login/auth-token.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/value/attribute-values.ts';
import { passwordHashOf } from '../../../shared/http/login/password-hash-of.ts';
import type { ProofWrites } from '../../../shared/http/login/prove-login.ts';
import { generateKey } from '../../../shared/secrets/generate-key.ts';
import type { SecretBox } from '../../../shared/secrets/secret-box.ts';
import type { CommandAnswer, SendToOwner } from '../forwarding/send-to-owner.ts';
import {
  changeCredentialsCommand,
  changeSecondFactorCommand,
  issueTokenCommand,
  type loginCommands,
  noteTokenUseCommand,
  revokeTokenCommand,
} from './login-commands.ts';

interface LoginWriteDeps {
  readonly directory: Directory;
  readonly secrets: Pick<SecretBox, 'tokenHash'>;
  readonly sendToOwner: SendToOwner;
  readonly newId: () => string;
  readonly tokenLifetime: TokenLifetime;
  readonly timeoutMs: number;
  readonly now: () => number;
  /** Of a write that nobody waits for. */
  readonly onFailure: (error: unknown) => void;
}

/** What a client gets to keep. */
interface IssuedToken {
  readonly token: string;
  /** For the cookie that has to come along from then on. */
  readonly secret: string | null;
}

type Credential = 'passwordHash' | 'apiKey' | 'apiKeyHash' | 'secretKey';
type Credentials = Readonly<Partial<Record<Credential, AttributeValue>>>;

/** Everything about log-ins that is written to the directory, by whichever instance decides about it. */
export interface LoginWrites extends ProofWrites {
  issueToken(user: RecordState, options: { readonly withSecret: boolean }): Promise<IssuedToken>;
  revokeToken(user: RecordState, id: string): Promise<CommandAnswer>;
  changeSecondFactor(
    by: RecordState,
    change: { readonly userId: string; readonly totpSecret: string | null; readonly step?: number },
  ): Promise<CommandAnswer>;
  /** `expected` is refused as a conflict if it is not so any more. Answers the user afterwards. */
  changeCredentials(
    by: RecordState,
    change: {
      readonly userId: string;
      readonly values: Credentials;
      readonly expected?: Credentials;
    },
  ): Promise<CommandAnswer>;
}

/** Log-ins that one user has at the same time; a further one ends those that were used longest ago. */
const MAX_TOKENS_PER_USER = 100;

export function createLoginWrites(deps: LoginWriteDeps): LoginWrites {
  const { directory, secrets, now } = deps;
  const send = createSend(deps);
  /** Notes under way, by token: requests that come together make one. */
  const noting = new Set<string>();

  return {
    async issueToken(user, { withSecret }) {
      const token = generateKey();
      const secret = withSecret ? randomBytes(32).toString('base64url') : null;
      const id = deps.newId();
      const body = toTokenValues({
        id,
        userId: user.id,
        tokenHash: secrets.tokenHash(token),
        secretHash: secret === null ? null : secrets.tokenHash(secret),
        passwordMark: secrets.tokenHash(passwordHashOf(user) ?? ''),
        issuedAtMs: now(),
        usedAtMs: now(),
      });
      await send(issueTokenCommand, { by: user, id, body });
      endSurplus(user, deps, send).catch(deps.onFailure);
      return { token, secret };
    },
    async revokeToken(user, id) {
      return send(revokeTokenCommand, { by: user, id, body: {} });
    },
    noteTokenUse({ id, userId }: AuthToken) {
      const user = directory.record('User', userId);
      if (user === undefined || noting.has(id)) return;
      noting.add(id);
      send(noteTokenUseCommand, { by: user, id, body: { usedAtMs: now() } })
        .catch(deps.onFailure)
        .finally(() => noting.delete(id));
    },
    async acceptCode(userId, lastStep) {
      const user = directory.record('User', userId);
      if (user === undefined) return false;
      try {
        await send(changeSecondFactorCommand, { by: user, id: userId, body: { lastStep } });
        return true;
      } catch (error) {
        if (error instanceof Refusal) return false;
        throw error;
      }
    },
    async changeSecondFactor(by, { userId, totpSecret, step }) {
      const body = { totpSecret, ...(step === undefined ? {} : { lastStep: step }) };
      return send(changeSecondFactorCommand, { by, id: userId, body });
    },
    async changeCredentials(by, { userId, values, expected = {} }) {
      return send(changeCredentialsCommand, { by, id: userId, body: { ...values, expected } });
    },
  };
}

/** Ends the log-ins of a user that have expired, and those above the limit that were used longest ago. */
async function endSurplus(
  user: RecordState,
  { directory, tokenLifetime, now }: LoginWriteDeps,
  send: Send,
): Promise<void> {
  const tokens = directory.authTokensOf(user.id);
  const expired = tokens.filter((token) => isExpired(token, tokenLifetime, now()));
  const others = tokens
    .filter((token) => !expired.includes(token))
    .toSorted((one, other) => other.usedAtMs - one.usedAtMs);
  for (const { id } of [...expired, ...others.slice(MAX_TOKENS_PER_USER)]) {
    await send(revokeTokenCommand, { by: user, id, body: {} });
  }
}

interface Sent {
  readonly by: RecordState;
  readonly id: string;
  readonly body: AttributeValues;
}

type LoginCommand = (typeof loginCommands)[number];

type Send = (command: LoginCommand, sent: Sent) => Promise<CommandAnswer>;

function createSend({ directory, sendToOwner, timeoutMs, now }: LoginWriteDeps): Send {
  return async (command, { by, id, body }) => {
    const model = directory.entity('User');
    if (model === undefined) throw new Error('there are no users');
    return sendToOwner(command, {
      id,
      body,
      model,
      actor: directory.actor(by),
      conditions: {},
      commandId: null,
      commandHash: null,
      deadline: now() + timeoutMs,
      // All that uses it reads the directory from memory, not from Postgres.
      untilReadable: false,
      // Whether a log-in may be is decided where it is proved.
      isDecided: true,
    });
  };
}
