import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readOption } from '../choice/enum.ts';
import { describeFarSide, type FarSideSettings } from './link.ts';
import { exampleId } from './linked-name.ts';
import { readLinkId } from './read-link.ts';

/** A link to one record of one of several types. This record stores the id and the type. */
export interface LinkParentField extends FieldBase<'linkParent', never>, FarSideSettings {
  /** Entity types allowed as the parent. */
  readonly entityList?: readonly string[];
}

export const linkParentType: FieldType<LinkParentField> = {
  name: 'linkParent',
  relation: 'belongsToParent',
  carriers: ['Id'],
  sortedBy: ['Type'],
  isUnordered: true,
  parts(field, { entityList }) {
    const type = { type: ['string', 'null'] };
    const schema = entityList === undefined ? type : { ...type, enum: [...entityList, null] };
    const parent = {
      idAttribute: `${field}Id`,
      typeAttribute: `${field}Type`,
      entityTypes: entityList ?? [],
    };
    return [
      { suffix: 'Id', kind: 'string', link: 'id', example: exampleId },
      { suffix: 'Type', kind: 'string', link: 'type', schema, example: entityList?.[0] },
      { suffix: 'Name', kind: 'string', stored: false, writable: false, parent },
    ];
  },
  compileReader(rule, { entityList = [] }) {
    if (rule.attribute.endsWith('Id')) return (value, report) => readLinkId(rule, value, report);
    const option = { ...rule, options: new Set(entityList) };
    return (value, report) => readOption(option, value, report);
  },
  linkedTypes: ({ entityList = [] }) => entityList,
  describe: describeFarSide,
};
