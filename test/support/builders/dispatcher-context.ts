import type { DeliveryContext } from '../../../services/dispatcher/context.ts';

type Parts = Readonly<Partial<Record<keyof DeliveryContext, unknown>>>;

/** Returns a context with these parts. Reading any other part throws, which shows what a test has to provide. */
export function dispatcherContext(parts: Parts): DeliveryContext {
  return new Proxy(parts, {
    get(target, name) {
      if (Reflect.has(target, name)) return Reflect.get(target, name);
      throw new Error(`the context of this test has no ${String(name)}`);
    },
  }) as DeliveryContext;
}
