import { expect, it } from 'vitest';
import { pathOf } from './answer-error.ts';

it.each([
  ['/api/v1/LeadCapture/0123abc', '/api/v1/LeadCapture/***'],
  ['/api/v1/LeadCapture/0123abc?a=1', '/api/v1/LeadCapture/***'],
  ['/api/v1//leadCaptures//0123abc/', '/api/v1//leadCaptures//***/'],
  ['/api/v1/%4CeadCapture/0123abc', '/api/v1/%4CeadCapture/***'],
  ['/api/v1/Lead%43apture/0123abc', '/api/v1/Lead%43apture/***'],
  ['/api/v1/LeadCapture/action/generateNewApiKey', '/api/v1/LeadCapture/action/generateNewApiKey'],
  ['/api/v1/LeadCapture', '/api/v1/LeadCapture'],
  ['/api/v1/Lead/0123abc?select=name', '/api/v1/Lead/0123abc'],
])('logs %s as %s, without the query and the key of a lead capture', (originalUrl, shown) => {
  expect(pathOf({ originalUrl })).toBe(shown);
});
