import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { addressSuffixes, compileAddressPart } from './read-address.ts';

/** A postal address. */
export interface AddressField extends FieldBase<'address', never> {}

export const addressType: FieldType<AddressField> = {
  name: 'address',
  isCreatable: true,
  carriers: addressSuffixes,
  sortedBy: ['Country', 'City', 'Street'],
  layout: 'detail',
  parts: () => addressSuffixes.map((suffix) => ({ suffix, kind: 'string' })),
  compileReader: compileAddressPart,
};
