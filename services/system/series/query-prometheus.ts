import { Agent } from 'undici';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { RequestSeries } from './draw-requests.ts';
import { drawLine, type SeriesFrame, type SeriesLine } from './series-frame.ts';

const MS = 1_000;
const TIMEOUT_MS = 5_000;
/** A response has at most 180 numbers. */
const MAX_BYTES = 256 * 1024;
/** The time of two samples at Prometheus' default interval. With fewer samples, `rate` has no result. */
const LEAST_WINDOW_SECONDS = 120;
const NAME = 'annals_http_request_duration_seconds';

/** Reads responses and latency from a Prometheus that scrapes the apis of this installation. Throws Unavailable. */
export async function queryPrometheus(url: string, frame: SeriesFrame): Promise<RequestSeries> {
  const agent = new Agent({ connect: { timeout: TIMEOUT_MS }, maxResponseSize: MAX_BYTES });
  const window = `[${Math.max(frame.stepMs / MS, LEAST_WINDOW_SECONDS)}s]`;
  const read = (query: string) => readRange(agent, toRangeUrl(url, query, frame), frame);
  // A class of statuses without responses has no series; its rate is 0.
  const rate = (first: number) =>
    read(
      `sum(rate(${NAME}_count{status=~"${first}.."}${window})) or 0 * sum(rate(${NAME}_count${window}))`,
    );
  const latency = (share: number) =>
    read(`1000 * histogram_quantile(${share}, sum by (le) (rate(${NAME}_bucket${window})))`);
  try {
    const [answers2xx, answers4xx, answers5xx, latencyP50Ms, latencyP99Ms] = await Promise.all([
      rate(2),
      rate(4),
      rate(5),
      latency(0.5),
      latency(0.99),
    ]);
    return { answers2xx, answers4xx, answers5xx, latencyP50Ms, latencyP99Ms };
  } catch (cause) {
    throw new Unavailable('Prometheus does not respond', { cause });
  } finally {
    await agent.destroy();
  }
}

/** Prometheus computes the number at the end of each finished step. */
function toRangeUrl(url: string, query: string, { from, now, to, stepMs }: SeriesFrame): URL {
  const base = url.endsWith('/') ? url : `${url}/`;
  const range = new URL('api/v1/query_range', base);
  range.search = new URLSearchParams({
    query,
    start: `${(from + stepMs) / MS}`,
    end: `${Math.min(to, now) / MS}`,
    step: `${stepMs / MS}`,
    timeout: `${TIMEOUT_MS}ms`,
  }).toString();
  return range;
}

async function readRange(agent: Agent, url: URL, frame: SeriesFrame): Promise<SeriesLine> {
  const { username, password } = url;
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  const { statusCode, body } = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method: 'GET',
    headers:
      username === ''
        ? {}
        : { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` },
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`Prometheus responded with status ${statusCode}`);
  return toLine(text, frame);
}

/** The part of a response that Annals reads: pairs of a time in seconds and a number as text. */
interface Matrix {
  readonly data: { readonly result: readonly { readonly values: readonly [number, string][] }[] };
}

/** Converts the response to a range query with a single result. */
function toLine(text: string, frame: SeriesFrame): SeriesLine {
  const { data } = JSON.parse(text) as Matrix;
  const numbers = new Map(data.result[0]?.values.map(([at, value]) => [at * MS, Number(value)]));
  return drawLine(frame, ({ end }) => {
    const value = numbers.get(end);
    return Number.isFinite(value) ? value : undefined;
  });
}
