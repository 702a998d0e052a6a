import { Refusal, type RefusalKind } from '../../../shared/domain/errors.ts';
import { asJson, asObject, asText } from './read-body.ts';

/** A refusal as JSON. JSON.stringify would drop the message of an error. */
export interface SerializedRefusal {
  readonly kind: string;
  readonly code: string;
  readonly message: string;
  readonly detail: Readonly<Record<string, unknown>>;
}

export const readSerializedRefusal = asObject<SerializedRefusal>({
  kind: asText,
  code: asText,
  message: asText,
  detail: asJson,
});

export function serializeRefusal({ kind, code, message, detail }: Refusal): SerializedRefusal {
  return { kind, code, message, detail: { ...detail } };
}

export function toRefusal({ kind, code, message, detail }: SerializedRefusal): Refusal {
  return new Refusal(kind as RefusalKind, code, message, detail);
}
