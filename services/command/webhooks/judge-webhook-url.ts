import type { FieldProblem } from '../../../shared/domain/errors.ts';
import { findAddresses, type TargetGuard } from '../../../shared/net/find-addresses.ts';
import { validateUrl } from '../../../shared/net/validate-target.ts';

const RESOLVE_TIMEOUT_MS = 5_000;

export interface JudgedUrl {
  /** The reasons why webhooks may not have this url; empty if they may. */
  readonly problems: readonly FieldProblem[];
  /** Warnings, as sentences, about present obstacles to deliveries. */
  readonly warnings: readonly string[];
}

export const unjudged: JudgedUrl = { problems: [], warnings: [] };

/**
 * The verdict on a url at the registration of a webhook (docs/architecture/webhooks.md#where-requests-may-go). Resolves
 * the host name, unless the operator opened the name itself. A name that does not resolve only causes a warning, because
 * its addresses are checked at every connection.
 */
export function createJudgeWebhookUrl(guard: TargetGuard): (url: string) => Promise<JudgedUrl> {
  return async (url) => {
    const verdict = validateUrl(url, guard.rules);
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
