import { describe, expect, it } from 'vitest';
import { toStatusReason } from './status-reason.ts';

describe('a status reason', () => {
  it('is one line of Latin-1', () => {
    expect(toStatusReason("No 'read' access.")).toBe("No 'read' access.");
    expect(toStatusReason('Größe')).toBe('Größe');
    expect(toStatusReason('a\r\nSet-Cookie: b\0\u0085\u007fc')).toBe('a  Set-Cookie: b   c');
    expect(toStatusReason('日本')).toBe('  ');
  });

  it('is truncated after 300 characters', () => {
    expect(toStatusReason('x'.repeat(10_000))).toHaveLength(300);
  });
});
