import type { FieldProblem } from '../../../shared/domain/errors.ts';
import { findAddresses, type TargetGuard } from '../../../shared/net/find-addresses.ts';
import { judgeUrl } from '../../../shared/net/judge-target.ts';

const RESOLVE_TIMEOUT_MS = 5_000;

/**
 * The sender's verdict on a url, given when a webhook is registered
 * (docs/architecture/webhooks.md#where-requests-may-go). A name is resolved for it, unless the operator opened the name
 * itself.
 */
export function createJudgeWebhookUrl(
  guard: TargetGuard,
): (url: string) => Promise<readonly FieldProblem[]> {
  return async (url) => {
    const verdict = judgeUrl(url, guard.rules);
    if (verdict.kind === 'opened name') return [];
    const found = await findAddresses(verdict, guard, AbortSignal.timeout(RESOLVE_TIMEOUT_MS));
    if (found.kind === 'found') return [];
    const type = verdict.kind === 'refused' ? verdict.problem : 'notInternal';
    return [{ field: 'url', type, message: `url may not be used for a webhook: ${found.reason}.` }];
  };
}
