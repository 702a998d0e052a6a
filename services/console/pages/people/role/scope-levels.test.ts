import { describe, expect, it } from 'vitest';
import { presetLevels, presetOf, presetsFor } from './scope-levels.ts';

const contact = {
  aclActionList: ['create', 'read', 'edit', 'delete', 'stream'],
  aclLevelList: ['all', 'team', 'own', 'no'],
};
const user = {
  aclActionList: ['read', 'edit'],
  aclLevelList: ['all', 'team', 'own', 'no'],
  aclActionLevelListMap: { edit: ['own', 'no'] },
};
const team = { aclActionList: ['read'], aclLevelList: ['all', 'team', 'no'] };
const currency = { aclActionList: ['read', 'edit'], aclLevelList: ['yes', 'no'] };

describe('the presets of a role', () => {
  it('set a level for every action of a scope, and allow creating records', () => {
    const [create, others] = ['yes', ['read', 'edit', 'delete', 'stream']];
    for (const preset of presetsFor(contact)) {
      const levels = Object.fromEntries(others.map((action) => [action, preset]));
      expect(presetLevels(contact, preset)).toEqual({ create, ...levels });
      expect(presetOf(contact, { create, ...levels })).toBe(preset);
    }
  });

  it('use the next lower level for actions with fewer levels', () => {
    expect(presetLevels(user, 'all')).toEqual({ read: 'all', edit: 'own' });
    expect(presetLevels(user, 'own')).toEqual({ read: 'own', edit: 'own' });
  });

  it('are offered only if a scope distinguishes them', () => {
    expect(presetsFor(contact)).toEqual(['own', 'team', 'all']);
    expect(presetsFor(team)).toEqual(['team', 'all']);
    expect(presetsFor(currency)).toEqual(['all']);
    expect(presetLevels(currency, 'all')).toEqual({ read: 'yes', edit: 'yes' });
  });

  it('are not recognized in rows with other levels', () => {
    const levels = presetLevels(contact, 'own');
    expect(presetOf(contact, { ...levels, delete: 'no' })).toBeUndefined();
    expect(presetOf(contact, { read: 'own' })).toBeUndefined();
    expect(presetOf(contact, {})).toBeUndefined();
  });
});
