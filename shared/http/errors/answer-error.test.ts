import { describe, expect, it } from 'vitest';
import { pathOf, toStatusReason } from './answer-error.ts';

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

it.each([
  ['/api/v1/LeadCapture/0123abc', '/api/v1/LeadCapture/***'],
  ['/api/v1/LeadCapture/0123abc?a=1', '/api/v1/LeadCapture/***'],
  ['/api/v1//leadCaptures//0123abc/', '/api/v1//leadCaptures//***/'],
  ['/api/v1/%4CeadCapture/0123abc', '/api/v1/%4CeadCapture/***'],
  ['/api/v1/Lead%43apture/0123abc', '/api/v1/Lead%43apture/***'],
  ['/api/v1/LeadCapture/action/generateNewApiKey', '/api/v1/LeadCapture/action/generateNewApiKey'],
  ['/api/v1/LeadCapture', '/api/v1/LeadCapture'],
  ['/api/v1/Lead/0123abc?select=name', '/api/v1/Lead/0123abc'],
])('logs %s as %s without the query or the key of a lead capture', (originalUrl, shown) => {
  expect(pathOf(originalUrl)).toBe(shown);
});
