import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { addressLengths, compileAddressPart } from './read-address.ts';

/** A postal address. */
export interface AddressField extends FieldBase<'address', never> {}

const addressSuffixes = Object.keys(addressLengths);

export const addressType: FieldType<AddressField> = {
  name: 'address',
  isCreatable: true,
  carriers: addressSuffixes,
  sortedBy: ['Country', 'City', 'Street'],
  layout: 'detail',
  parts: () => addressSuffixes.map((suffix) => ({ suffix, kind: 'string' })),
  compileReader: compileAddressPart,
  describeParts: () =>
    Object.fromEntries(
      Object.entries(addressLengths).map(([suffix, maxLength]) => [
        suffix,
        { type: suffix === 'Street' ? 'text' : 'varchar', maxLength },
      ]),
    ),
};
