import { Agent } from 'undici';
import { Refusal, StorageLow } from '../../../shared/domain/errors.ts';
import { currentTrace } from '../../../shared/runtime/trace.ts';
import type { Executed } from './command.ts';
import { OwnerSilent, OwnerWatch } from './owner-watch.ts';
import {
  type ExecutedNote,
  type ForwardedCommand,
  fromNote,
  type SerializedRefusal,
  toRefusal,
} from './protocol.ts';

export type ForwardResult =
  | { readonly kind: 'executed'; readonly executed: Executed }
  /** The instance is not the owner. The command was not carried out. */
  | { readonly kind: 'not owner'; readonly ownerAddress: string | undefined }
  /** The connection was refused. The command was not carried out. */
  | { readonly kind: 'unreachable' }
  /** The instance is silent. The command may have been carried out, or may be carried out later. */
  | { readonly kind: 'silent' }
  /** The response was lost, or the owner cannot determine the outcome. The command may have been carried out. */
  | { readonly kind: 'unknown'; readonly cause: unknown };

export interface CommandForwarder {
  /** Throws the owner's Refusal or StorageLow, or OwnerFailed if the owner had an unexpected error. */
  forward(address: string, command: ForwardedCommand): Promise<ForwardResult>;
  close(): Promise<void>;
}

/** The owner had an unexpected error, and has logged it under the same request id. */
class OwnerFailed extends Error {
  override readonly name = 'OwnerFailed';

  constructor() {
    super('the owner of the record failed to decide the command');
  }
}

const CONNECT_TIMEOUT_MS = 1_000;
/** Added to the deadline, because the owner itself responds at the deadline. */
const GRACE_MS = 500;

/** `owners` returns the addresses of possible owners. */
export function createCommandForwarder(
  internalToken: string,
  owners: () => Iterable<string>,
): CommandForwarder {
  const agent = new Agent({ connect: { timeout: CONNECT_TIMEOUT_MS }, connections: 64 });
  const watch = new OwnerWatch(owners);
  const headers = {
    authorization: `Bearer ${internalToken}`,
    'content-type': 'application/json',
  };

  async function post(address: string, command: ForwardedCommand): Promise<ForwardResult> {
    const { statusCode, body } = await agent.request({
      origin: address,
      path: '/internal/commands',
      method: 'POST',
      headers: { ...headers, ...traceOfRequest() },
      body: JSON.stringify(command),
      signal: AbortSignal.timeout(command.remainingMs + GRACE_MS),
    });
    const answer: unknown = await body.json();
    return toSent(statusCode, answer);
  }

  return {
    async forward(address, command) {
      if (watch.isSilent(address)) return { kind: 'unreachable' };
      try {
        return await watch.orSilent(address, post(address, command));
      } catch (cause) {
        if (cause instanceof Refusal || cause instanceof StorageLow) throw cause;
        if (cause instanceof OwnerFailed) throw cause;
        return toUnanswered(cause);
      }
    },
    close() {
      watch.close();
      return agent.destroy();
    },
  };
}

/** Returns the trace headers, so that the owner's log lines and the event belong to the client's request. */
function traceOfRequest(): Readonly<Record<string, string>> {
  const trace = currentTrace();
  return trace === undefined ? {} : { traceparent: trace.traceparent };
}

function toUnanswered(cause: unknown): ForwardResult {
  if (codeOf(cause) === 'ECONNREFUSED') return { kind: 'unreachable' };
  const isSilent = cause instanceof OwnerSilent || codeOf(cause) === 'UND_ERR_CONNECT_TIMEOUT';
  return isSilent ? { kind: 'silent' } : { kind: 'unknown', cause };
}

function toSent(status: number, answer: unknown): ForwardResult {
  if (status === 200) return { kind: 'executed', executed: fromNote(answer as ExecutedNote) };
  if (status === 421) {
    const { ownerAddress } = answer as { readonly ownerAddress: string | null };
    return { kind: 'not owner', ownerAddress: ownerAddress ?? undefined };
  }
  if (status === 409) throw toRefusal(answer as SerializedRefusal);
  if (status === 507) throw new StorageLow();
  // A bug. A retry would fail in the same way.
  if (status === 500) throw new OwnerFailed();
  return { kind: 'unknown', cause: new Error(`the owner responded with status ${status}`) };
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
