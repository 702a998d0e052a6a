import { request } from 'undici';
import {
  type FindingNews,
  HOUR_MS,
  type SentNews,
} from '../../../shared/domain/mail/queued-email.ts';
import type { CommandContext } from '../context.ts';
import type { FaultReceiver } from './report-faults.ts';

const TIMEOUT_MS = 5_000;

/**
 * Returns the receiver behind `FAULTS_WEBHOOK_URL` (docs/operations/observe.md#faults-by-webhook); undefined if it is
 * not set. Needs neither Kafka nor Postgres, so this process alone remembers what it has sent: after a restart or a
 * change of owner, faults that last are reported again. News that the receiver did not accept is sent again at the next
 * examination.
 */
export function createFaultWebhook({
  clock,
  config,
  log,
}: Pick<CommandContext, 'clock' | 'config' | 'log'>): FaultReceiver | undefined {
  const { faultsUrl, publicUrl } = config;
  if (faultsUrl === undefined) return undefined;
  const sent = new Map<string, Sent>();

  return {
    latestAbout: (key) => sent.get(key),
    open: () =>
      [...sent.values()].map(({ finding }) => finding).filter(({ phase }) => phase !== 'gone'),
    async send(finding, remedy) {
      const nowMs = clock.now();
      try {
        await post(faultsUrl, toBody(finding, { remedy, nowMs, publicUrl }));
      } catch (err) {
        log.warn({ err }, 'cannot send a fault to FAULTS_WEBHOOK_URL');
        return;
      }
      const isOver = ({ finding: { phase }, queuedAtMs }: Sent) =>
        phase === 'gone' && queuedAtMs + HOUR_MS < nowMs;
      for (const [key, one] of sent) if (isOver(one)) sent.delete(key);
      sent.set(finding.key, { finding, queuedAtMs: nowMs });
    },
  };
}

interface Sent extends SentNews {
  readonly finding: FindingNews;
}

function toBody(
  { key, part, phase, says }: FindingNews,
  {
    remedy,
    nowMs,
    publicUrl,
  }: { readonly remedy: string; readonly nowMs: number; readonly publicUrl: string | undefined },
) {
  const solution = remedy === '' ? '' : `\nTo fix it: ${remedy}`;
  return {
    // Chats such as Slack, Mattermost and Google Chat show the text.
    text: phase === 'gone' ? `Solved: ${says}` : `Problem: ${says}${solution}`,
    id: key,
    phase,
    part,
    says,
    remedy: remedy === '' ? null : remedy,
    at: new Date(nowMs).toISOString(),
    url: publicUrl === undefined ? null : `${publicUrl}/system`,
  };
}

async function post(url: string, body: object): Promise<void> {
  const { statusCode, body: answer } = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  await answer.dump();
  if (statusCode < 200 || statusCode > 299) {
    throw new Error(`The receiver responded with status ${statusCode}.`);
  }
}
