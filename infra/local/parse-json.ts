import { tried } from './tried.ts';

/** Undefined for a text that is no JSON. */
export const parseJson = (text: string): unknown => tried(() => JSON.parse(text), undefined);
