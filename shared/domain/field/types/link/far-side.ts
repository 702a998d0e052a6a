import type { FieldBase } from '../../field-base.ts';

/** A link defines its other side where its ids stand, so that both sides always exist. */
export interface FarSideSettings {
  /** The name of the link on the other side; absent: it is not shown there. */
  readonly foreign?: string;
  /** For a link to a parent: the types of parents that use this name; absent: all types of parents. */
  readonly foreignEntityList?: readonly string[];
  /** For a link to a parent: what types of parents call it that have another name for it. */
  readonly foreignOf?: Readonly<Record<string, string>>;
  /** The label of the link on the other side. */
  readonly foreignLabel?: string;
  /** Linking a record that is already linked with another one is refused from the other side. */
  readonly foreignKeepsLinked?: boolean;
}

/** Clients see the names that administrators gave. The names of shipped links stand in the links of the other side. */
export function describeFarSide(field: FieldBase & FarSideSettings) {
  const { isCustom, foreign, foreignEntityList } = field;
  if (isCustom !== true || foreign === undefined) return {};
  return { foreign, ...(foreignEntityList && { foreignEntityList }) };
}
