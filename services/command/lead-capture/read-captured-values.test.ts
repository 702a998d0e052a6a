import { describe, expect, it } from 'vitest';
import { buildEntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { leadDefinition } from '../../../shared/domain/entity/stock/lead.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { createCaptureLimit } from './capture-limit.ts';
import { isCapturable, readCapturedValues } from './read-captured-values.ts';

const lead = buildEntityModel(leadDefinition);

function read(fieldList: readonly string[], payload: object, fieldParams: object = {}) {
  return readCapturedValues(lead, { fieldList, fieldParams: { ...fieldParams } }, { ...payload });
}

function refusalOf(run: () => unknown): Refusal {
  try {
    run();
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error('nothing was rejected');
}

describe('the values of a web form', () => {
  it('are limited to the fields of the capture', () => {
    const sent = { lastName: 'Doe', status: 'Dead', assignedUserId: 'x', __proto__: { a: 1 } };
    expect(read(['lastName', 'emailAddress'], sent)).toEqual({ lastName: 'Doe' });
  });

  it('include address parts but no data or flags of e-mail addresses', () => {
    const sent = {
      addressCity: 'Rome',
      emailAddress: 'a@example.com',
      emailAddressData: [{ emailAddress: 'b@example.com' }],
      emailAddressIsOptedOut: true,
      emailAddressIsInvalid: true,
    };
    expect(read(['address', 'emailAddress'], sent)).toEqual({
      addressCity: 'Rome',
      emailAddress: 'a@example.com',
    });
  });

  it.each([
    ['Ann Maria Doe', { firstName: 'Ann Maria', lastName: 'Doe' }],
    ['  Doe ', { lastName: 'Doe' }],
  ])('split the name %j at its last space', (name, parts) => {
    expect(read(['name'], { name })).toEqual(parts);
  });

  it('keep name parts that were sent with the full name', () => {
    expect(read(['name'], { name: 'Ann Doe', lastName: 'Smith' })).toEqual({ lastName: 'Smith' });
  });

  it.each([[{}], [{ lastName: '' }], [{ lastName: null }], [{ other: 1 }]])(
    'are rejected as empty if %j contains no captured field',
    (sent) => {
      const { code, detail } = refusalOf(() => read(['lastName'], sent));
      expect([code, detail.statusReason]).toEqual(['lead.empty', 'empty']);
    },
  );

  it('are rejected if a required field is missing', () => {
    const params = { emailAddress: { required: true }, lastName: { required: false } };
    const { code, detail } = refusalOf(() =>
      read(['firstName', 'lastName', 'emailAddress'], { firstName: 'Ann' }, params),
    );
    expect(code).toBe('record.invalid');
    expect(detail.errors).toMatchObject([{ field: 'emailAddress', type: 'required' }]);
  });

  it('never set links, files, internal fields or system fields', () => {
    const names = ['campaign', 'assignedUser', 'teams', 'conversion', 'convertedAt', 'mergePlan'];
    expect(names.filter((name) => isCapturable(lead, name))).toEqual([]);
    const others = ['name', 'lastName', 'address', 'emailAddress', 'opportunityAmount'];
    expect(others.filter((name) => isCapturable(lead, name))).toEqual(others);
  });
});

describe('the request limit', () => {
  it('counts each key separately and returns the seconds until the next minute', () => {
    let now = 0;
    const limit = createCaptureLimit(2, () => now);
    expect([limit('a'), limit('a'), limit('b')]).toEqual([undefined, undefined, undefined]);
    now = 20_000;
    expect([limit('a'), limit('b')]).toEqual([40, undefined]);
    now = 60_000;
    expect(limit('a')).toBeUndefined();
  });
});
