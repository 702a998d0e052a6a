import { useText } from '../../../language/language.tsx';
import { type MessageKey, messages } from '../../../messages/en.ts';

/** Returns the label of a field type with its API name, such as `Text (varchar)`. Unknown types are returned unchanged. */
export function useFieldTypeText(): (type: string) => string {
  const t = useText();
  return (type) => {
    const key = `fieldTypes.${type}`;
    return isMessageKey(key) ? `${t(key)} (${type})` : type;
  };
}

function isMessageKey(key: string): key is MessageKey {
  return Object.hasOwn(messages, key);
}
