import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { perModel } from '../../../../shared/domain/entity/model/per-model.ts';
import { formatNumber, isCounted } from '../../../../shared/domain/field/field-types.ts';
import type { Decision } from '../../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../../context.ts';
import { append } from '../../owner/append.ts';
import type { Executed, WriteRequest } from '../../owner/command.ts';
import type { ReservedNumber } from './number-source.ts';

/** Thrown from `decide` if the owner changed after a number was reserved. The command is executed again. */
class ReservationLost extends Error {
  override readonly name = 'ReservationLost';
}

export function hasNumbers(model: EntityModel): boolean {
  return countedFields(model).length > 0;
}

/** Appends a new record with its numbers, in the partition of the numbers. */
export async function appendNumbered(
  request: WriteRequest,
  decide: (
    state: RecordState | undefined,
    known: { readonly now: number; readonly numbers: AttributeValues },
  ) => Decision | undefined,
  context: CommandContext,
): Promise<Executed> {
  const { model, place } = request;
  for (;;) {
    const reserved = await reserveNumbers(model, place?.partition, context);
    const id = place?.id ?? context.newIdIn(reserved.partition);
    try {
      return await append(context, request, {
        id,
        isCreation: true,
        decide(state, { token, now }) {
          if (reserved.tokens.some((one) => one !== token)) throw new ReservationLost();
          return decide(state, { now, numbers: reserved.numbers });
        },
      });
    } catch (error) {
      if (!(error instanceof ReservationLost)) throw error;
    }
  }
}

interface Reserved {
  readonly partition: number;
  readonly tokens: readonly string[];
  readonly numbers: AttributeValues;
}

/**
 * Reserves the numbers of a new record. The first number determines the partition unless it is fixed. All other numbers
 * come from the same partition.
 */
async function reserveNumbers(
  model: EntityModel,
  known: number | undefined,
  { reserveNumber }: CommandContext,
): Promise<Reserved> {
  const reserved: ReservedNumber[] = [];
  for (const name of countedFields(model)) {
    reserved.push(await reserveNumber(model, name, reserved[0]?.partition ?? known));
  }
  const numbers = reserved.map(({ attribute, number }) => [
    attribute,
    formatNumber(model.fields.get(attribute), number),
  ]);
  return {
    partition: reserved[0]?.partition ?? 0,
    tokens: reserved.map(({ token }) => token),
    numbers: Object.fromEntries(numbers),
  };
}

const countedFields = perModel(({ fields }): readonly string[] =>
  [...fields].filter(([, field]) => isCounted(field)).map(([name]) => name),
);
