import type { FieldBase } from '../../field-base.ts';

/** The far side of a link is defined on the field that holds its ids, so that both sides always exist. */
export interface FarSideSettings {
  /** The name of the link on the other side; absent if it is not shown there. */
  readonly foreign?: string;
  /** For a link to a parent: the parent types that use this name; absent: all of them. */
  readonly foreignEntityList?: readonly string[];
  /** For a link to a parent: deviating names, keyed by parent type. */
  readonly foreignOf?: Readonly<Record<string, string>>;
  /** The label of the link on the other side. */
  readonly foreignLabel?: string;
  /** Rejects linking from the other side if the record is already linked to another one. */
  readonly foreignKeepsLinked?: boolean;
}

/** Describes only names set by administrators. Names of shipped links are in the links of the other side. */
export function describeFarSide(field: FieldBase & FarSideSettings) {
  const { isCustom, foreign, foreignEntityList } = field;
  if (isCustom !== true || foreign === undefined) return {};
  return { foreign, ...(foreignEntityList && { foreignEntityList }) };
}
