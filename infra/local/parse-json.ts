import { tryOr } from './try-or.ts';

/** Returns undefined for a text that is not JSON. */
export const parseJson = (text: string): unknown => tryOr(() => JSON.parse(text), undefined);
