import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { medianOf, rounded } from '../median.ts';
import { startProgram } from '../start-program.ts';

/** Webhooks that watch fields, and changes of watched fields. */
export interface MatchLoad {
  readonly webhooks: number;
  readonly webhooksPerField: number;
  /** The number of fields that changes concern, starting with the first field. */
  readonly changedFields: number;
}

export interface MatchRequest {
  readonly load: MatchLoad;
  readonly measuredMs: number;
}

export interface MatchFigures {
  readonly perSecond: number;
  readonly matchesPerEvent: number;
}

type Side = 'few' | 'many' | 'spread' | 'tenEach';
type Round = Readonly<Record<Side, number>>;

/** `few` and `many` differ only in webhooks that no event matches. */
const loads: Readonly<Record<Side, MatchLoad>> = {
  few: { webhooks: 100, webhooksPerField: 1, changedFields: 100 },
  many: { webhooks: 10_000, webhooksPerField: 1, changedFields: 100 },
  spread: { webhooks: 10_000, webhooksPerField: 1, changedFields: 10_000 },
  tenEach: { webhooks: 10_000, webhooksPerField: 10, changedFields: 1_000 },
};

/**
 * Measures events of the log that are decoded, matched against 10,000 webhooks over 200 entity types, and put
 * into batches, compared with the same events against only the 100 webhooks that they match.
 */
export async function benchMatching(context: BenchContext): Promise<BenchFigures> {
  const program = startProgram<MatchRequest, MatchFigures>(context, 'match-events.ts');
  const measuredMs = context.isQuick ? 200 : 2_000;
  const measure = async (side: Side): Promise<number> => {
    const { perSecond, matchesPerEvent } = await program.send({ load: loads[side], measuredMs });
    context.report(`${side}: ${perSecond} events/s, ${matchesPerEvent} matches each`);
    return perSecond;
  };
  for (const side of ['few', 'many', 'spread', 'tenEach'] as const) await measure(side);
  const rounds = await alternate(context, {
    rounds: 4,
    async product(): Promise<Omit<Round, 'few'>> {
      const many = await measure('many');
      return { many, spread: await measure('spread'), tenEach: await measure('tenEach') };
    },
    yardstick: () => measure('few'),
  });
  const value = medianOf(rounds.product, ({ many }) => many);
  const yardstick = medianOf(rounds.yardstick, (perSecond) => perSecond);
  const tenEach = medianOf(rounds.product, (round) => round.tenEach);
  return {
    value,
    unit: 'events/s against 10,000 webhooks',
    yardstick,
    ratio: rounded(value / yardstick, 2),
    target: '50,000 events/s, as many as against 100 webhooks',
    spreadOverAllWebhooks: medianOf(rounds.product, ({ spread }) => spread),
    tenWebhooksPerEvent: tenEach,
    matchesPerSecondOfTen: tenEach * 10,
  };
}
