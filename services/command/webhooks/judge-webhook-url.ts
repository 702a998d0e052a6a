import type { FieldProblem } from '../../../shared/domain/errors.ts';
import { findAddresses, type TargetGuard } from '../../../shared/net/find-addresses.ts';
import { judgeUrl } from '../../../shared/net/judge-target.ts';

const RESOLVE_TIMEOUT_MS = 5_000;

export interface JudgedUrl {
  /** Why no webhook may have it. */
  readonly problems: readonly FieldProblem[];
  /** Sentences about what stands in the way of deliveries for now. */
  readonly warnings: readonly string[];
}

export const unjudged: JudgedUrl = { problems: [], warnings: [] };

/**
 * The sender's verdict on a url, given when a webhook is registered
 * (docs/architecture/webhooks.md#where-requests-may-go). A name is resolved for it, unless the operator opened the name
 * itself. One that does not resolve yet is only warned of: its addresses are judged whenever a connection is made.
 */
export function createJudgeWebhookUrl(guard: TargetGuard): (url: string) => Promise<JudgedUrl> {
  return async (url) => {
    const verdict = judgeUrl(url, guard.rules);
    if (verdict.kind === 'opened name') return unjudged;
    const found = await findAddresses(verdict, guard, AbortSignal.timeout(RESOLVE_TIMEOUT_MS));
    if (found.kind === 'found') return unjudged;
    if (found.kind === 'unknown') {
      const warning = `Nothing can be delivered to url for now: ${found.reason}.`;
      return { problems: [], warnings: [warning] };
    }
    const type = verdict.kind === 'refused' ? verdict.problem : 'notInternal';
    const message = `url may not be used for a webhook: ${found.reason}.`;
    return { problems: [{ field: 'url', type, message }], warnings: [] };
  };
}
