import type { FieldProblem } from '../../../shared/domain/errors.ts';
import { findAddresses, type TargetGuard } from '../../../shared/net/find-addresses.ts';
import { validateUrl } from '../../../shared/net/validate-target.ts';

const RESOLVE_TIMEOUT_MS = 5_000;

export interface UrlValidation {
  /** The reasons why webhooks may not have this URL. */
  readonly problems: readonly FieldProblem[];
  /** Sentences about current obstacles to deliveries. */
  readonly warnings: readonly string[];
}

export const noUrlProblems: UrlValidation = { problems: [], warnings: [] };

/**
 * Returns a function that validates the URL of a webhook (docs/architecture/webhooks.md#where-requests-may-go). It
 * resolves the host name, unless the operator explicitly allows the name. A name that does not resolve only causes a
 * warning, because its addresses are checked again at every connection.
 */
export function createWebhookUrlValidator(
  guard: TargetGuard,
): (url: string) => Promise<UrlValidation> {
  return async (url) => {
    const verdict = validateUrl(url, guard.rules);
    if (verdict.kind === 'opened name') return noUrlProblems;
    const found = await findAddresses(verdict, guard, AbortSignal.timeout(RESOLVE_TIMEOUT_MS));
    if (found.kind === 'found') return noUrlProblems;
    if (found.kind === 'unknown') {
      const warning = `Nothing can be delivered to url for now: ${found.reason}.`;
      return { problems: [], warnings: [warning] };
    }
    const type: FieldProblem['type'] = verdict.kind === 'refused' ? verdict.problem : 'notInternal';
    const message = `url may not be used for a webhook: ${found.reason}.`;
    return { problems: [{ field: 'url', type, message }], warnings: [] };
  };
}
