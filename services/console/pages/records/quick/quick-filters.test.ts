import { describe, expect, it } from 'vitest';
import type { Entity } from '../../../api/metadata.ts';
import {
  labelOfFilter,
  quickFiltersOf,
  readQuickFilters,
  toFilterConditions,
  withToggled,
} from './quick-filters.ts';

const entityWith = (filters: readonly string[], stream: boolean): Entity =>
  ({ filters, scope: { stream } }) as unknown as Entity;
const task = entityWith(['actual', 'completed', 'portalUsers'], true);

describe('quick filters', () => {
  it('include the labelled filters, plus subscriptions for types with a stream', () => {
    expect(quickFiltersOf(task)).toEqual(['actual', 'completed', 'mine', 'followed', 'starred']);
    expect(quickFiltersOf(entityWith([], false))).toEqual(['mine']);
  });

  it('are labelled active if they find enabled users or templates in use', () => {
    expect(labelOfFilter('User', 'active')).toBe('records.filterInUse');
    expect(labelOfFilter('EmailTemplate', 'actual')).toBe('records.filterInUse');
    expect(labelOfFilter('Task', 'actual')).toBe('records.filterOpen');
    expect(labelOfFilter('Project', 'active')).toBe('records.filterActive');
  });

  it('ignore filter names that the entity type does not have', () => {
    expect(readQuickFilters(task, 'mine,won,actual')).toBe('actual,mine');
    expect(readQuickFilters(task, 'won')).toBeUndefined();
    expect(readQuickFilters(task, undefined)).toBeUndefined();
  });

  it('combine personal filters with one filter of the entity type', () => {
    expect(withToggled(['actual', 'mine'], 'completed')).toEqual(['mine', 'completed']);
    expect(withToggled(['actual', 'mine'], 'starred')).toEqual(['actual', 'mine', 'starred']);
    expect(withToggled(['actual', 'mine'], 'mine')).toEqual(['actual']);
  });

  it('are combined so that all conditions must match', () => {
    expect(toFilterConditions(['actual', 'mine'])).toEqual([
      { type: 'primary', value: 'actual' },
      { type: 'bool', value: ['onlyMy'] },
    ]);
  });
});
