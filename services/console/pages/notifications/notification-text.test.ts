import { expect, it } from 'vitest';
import type { Notification } from '../../api/notifications.ts';
import { translator } from '../../language/translate.ts';
import { messages } from '../../messages/en.ts';
import { notificationText } from './notification-text.ts';

const t = translator(messages, 'en');

function textOf(noteData: object, facts: Partial<Notification> = {}): string {
  const item = {
    type: 'Note',
    createdByName: 'Ann',
    relatedParentId: 'a',
    relatedParentName: 'Acme',
    isFeatured: false,
    noteData: { data: {}, ...noteData },
    ...facts,
  };
  return notificationText(item as unknown as Notification, t);
}

it('names who did what with which record', () => {
  const post = { type: 'Post', post: 'Hello' };
  const noRecord = { relatedParentId: null, relatedParentName: null };
  expect(textOf(post)).toBe('Ann posted in “Acme”');
  expect(textOf(post, noRecord)).toBe('Ann sent you a post');
  expect(textOf(post, { type: 'MentionInPost' })).toBe('Ann mentioned you in “Acme”');
  expect(textOf(post, { type: 'MentionInPost', ...noRecord })).toBe('Ann mentioned you');
  expect(textOf({ type: 'Update' })).toBe('Ann changed “Acme”');
  expect(textOf({ type: 'Update' }, { createdByName: null })).toBe('Someone changed “Acme”');
  expect(textOf({ type: 'Update' }, { relatedParentName: null })).toBe('Ann changed a record');
});

it('names assignees and linked records', () => {
  const data = { assignedUserId: 'b', assignedUserName: 'Bob' };
  expect(textOf({ type: 'Assign', data })).toBe('Ann assigned “Acme” to Bob');
  expect(textOf({ type: 'Assign', data }, { isFeatured: true })).toBe('Ann assigned “Acme” to you');
  expect(textOf({ type: 'Assign' })).toBe('Ann removed the assignee of “Acme”');
  expect(textOf({ type: 'Create', data })).toBe('Ann created “Acme”');
  expect(textOf({ type: 'Create', data }, { isFeatured: true })).toBe(
    'Ann created “Acme” and assigned it to you',
  );
  expect(textOf({ type: 'Relate', relatedName: 'Bo' })).toBe('Ann linked “Acme” with “Bo”');
  expect(textOf({ type: 'Relate', data: { relatedIds: ['1', '2'] } })).toBe(
    'Ann linked “Acme” with 2 records',
  );
});
