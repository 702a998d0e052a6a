import { randomBytes } from 'node:crypto';
import { userModelOf } from '../../../shared/domain/directory/user-model-of.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  type AuthToken,
  isExpired,
  type TokenOrigin,
  toTokenValues,
} from '../../../shared/domain/login/auth-token.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { ProofWrites } from '../../../shared/http/login/login-deps.ts';
import { passwordMarkOf } from '../../../shared/http/login/password-hash-of.ts';
import { generateKey } from '../../../shared/secrets/generate-key.ts';
import type { BaseContext } from '../context.ts';
import { type CommandAnswer, internalCommandDefaults } from '../owner/command.ts';
import {
  acceptRecoveryCodeCommand,
  type Credentials,
  changeCredentialsCommand,
  changeSecondFactorCommand,
  issueTokenCommand,
  type loginCommands,
  noteTokenUseCommand,
  revokeTokenCommand,
} from './login-commands.ts';

/** The secrets that a client stores. */
interface IssuedToken {
  readonly token: string;
  /** The value of the cookie that later requests have to include. */
  readonly secret: string | null;
}

/** Writes log-ins to the directory, through the instance that owns the directory. */
export interface LoginWrites extends ProofWrites {
  issueToken(
    user: RecordState,
    options: {
      readonly withSecret: boolean;
      /** The client's User-Agent header. */
      readonly userAgent: string | undefined;
      /** Set for a log-in through a provider. */
      readonly origin?: TokenOrigin | undefined;
    },
  ): Promise<IssuedToken>;
  /** Ends log-ins one after the other. Skips log-ins that have ended in the meantime. */
  endLogins(by: RecordState, ids: readonly string[]): Promise<readonly CommandAnswer[]>;
  changeSecondFactor(
    by: RecordState,
    change: { readonly userId: string; readonly totpSecret: string | null; readonly step?: number },
  ): Promise<CommandAnswer>;
  /** Replaces all recovery codes. Rejects with a conflict if the user has no second factor. */
  replaceRecoveryCodes(
    by: RecordState,
    change: { readonly userId: string; readonly hashes: readonly string[] },
  ): Promise<CommandAnswer>;
  /** Rejects with a conflict if `expected` has changed. Resolves with the changed user. */
  changeCredentials(
    by: RecordState,
    change: {
      readonly userId: string;
      readonly values: Credentials;
      readonly expected?: Credentials;
    },
  ): Promise<CommandAnswer>;
}

/** Longer User-Agent headers are truncated. */
const MAX_USER_AGENT_CHARACTERS = 255;

/** Maximum number of log-ins per user. A further log-in ends the least recently used ones. */
const MAX_TOKENS_PER_USER = 100;

export function createLoginWrites(context: BaseContext): LoginWrites {
  const { clock, directory, log, secrets } = context;
  const now = clock.now;
  const send = createSend(context);
  /** Logs failed writes that no client waits for. */
  const reportFailure = (err: unknown) => {
    // Another instance has written the change first.
    if (!(err instanceof Refusal)) log.warn({ err }, 'cannot record the use of a log-in');
  };
  const accept = createAccept(context, send);
  /** The tokens whose use is being recorded. Concurrent uses share one write. */
  const pending = new Set<string>();

  return {
    async issueToken(user, { withSecret, userAgent, origin = null }) {
      const token = generateKey();
      const secret = withSecret ? randomBytes(32).toString('base64url') : null;
      const id = context.newId();
      const body = toTokenValues({
        id,
        userId: user.id,
        tokenHash: secrets.tokenHash(token),
        secretHash: secret === null ? null : secrets.tokenHash(secret),
        passwordMark: passwordMarkOf(secrets, user),
        issuedAtMs: now(),
        usedAtMs: now(),
        userAgent: userAgent?.slice(0, MAX_USER_AGENT_CHARACTERS) || null,
        origin,
      });
      await send(issueTokenCommand, { by: user, id, body });
      endSurplus(user, context, send).catch(reportFailure);
      return { token, secret };
    },
    async endLogins(by, ids) {
      const ended: CommandAnswer[] = [];
      for (const id of ids) {
        try {
          ended.push(await send(revokeTokenCommand, { by, id, body: {} }));
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      }
      return ended;
    },
    recordTokenUse({ id, userId }: AuthToken) {
      const user = directory.record('User', userId);
      if (user === undefined || pending.has(id)) return;
      pending.add(id);
      send(noteTokenUseCommand, { by: user, id, body: { usedAtMs: now() } })
        .catch(reportFailure)
        .finally(() => pending.delete(id));
    },
    acceptCode: async (userId, lastStep) => accept(changeSecondFactorCommand, userId, { lastStep }),
    acceptRecoveryCode: async (userId, recoveryHash) =>
      accept(acceptRecoveryCodeCommand, userId, { recoveryHash }),
    async changeSecondFactor(by, { userId, totpSecret, step }) {
      const body = { totpSecret, ...(step === undefined ? {} : { lastStep: step }) };
      return send(changeSecondFactorCommand, { by, id: userId, body });
    },
    async replaceRecoveryCodes(by, { userId, hashes }) {
      const body = { recoveryHashes: hashes };
      return send(changeSecondFactorCommand, { by, id: userId, body });
    },
    async changeCredentials(by, { userId, values, expected = {} }) {
      return send(changeCredentialsCommand, { by, id: userId, body: { ...values, expected } });
    },
  };
}

/** Ends expired log-ins of a user, and the least recently used ones above the limit. */
async function endSurplus(
  user: RecordState,
  { clock, config, directory }: BaseContext,
  send: Send,
): Promise<void> {
  const tokens = directory.authTokensOf(user.id);
  const expired = tokens.filter((token) => isExpired(token, config.tokenLifetime, clock.now()));
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

/** Returns a function that records the use of a code. Resolves with false if the owner of the directory rejects it. */
function createAccept({ directory }: BaseContext, send: Send) {
  return async (command: LoginCommand, userId: string, body: AttributeValues) => {
    const user = directory.record('User', userId);
    if (user === undefined) return false;
    try {
      await send(command, { by: user, id: userId, body });
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  };
}

type LoginCommand = (typeof loginCommands)[number];

type Send = (command: LoginCommand, sent: Sent) => Promise<CommandAnswer>;

function createSend({ clock, directory, sender, timeoutMs }: BaseContext): Send {
  return async (command, { by, id, body }) => {
    const model = userModelOf(directory);
    return sender.send(command, {
      // Does not wait for Postgres: all code that uses log-ins reads the directory in memory.
      ...internalCommandDefaults,
      id,
      body,
      model,
      actor: directory.actor(by),
      deadline: clock.now() + timeoutMs,
      // Permissions are checked where the log-in is verified.
      isDecided: true,
    });
  };
}
