import type { FieldBase } from '../../field-base.ts';

/** A link says where its ids stand what it is from the other side, so that both sides are always there. */
export interface FarSideSettings {
  /** What the other side calls it; absent: it is not seen from there. */
  readonly foreign?: string;
  /** A link to a parent: the types of parents that call it so; absent: all that it may have. */
  readonly foreignEntityList?: readonly string[];
  /** How it is named there for people. */
  readonly foreignLabel?: string;
  /** A record that is linked is not taken away by linking it with another one from the other side. */
  readonly foreignKeepsLinked?: boolean;
}

/** Clients see what administrators named. The names of Annals' own links stand in the links of the other side. */
export function describeFarSide(field: FieldBase & FarSideSettings) {
  const { isCustom, foreign, foreignEntityList } = field;
  if (isCustom !== true || foreign === undefined) return {};
  return { foreign, ...(foreignEntityList && { foreignEntityList }) };
}
