import { fieldNameOf } from '../../api/labels.ts';
import { useMetadata, useTypeLabel } from '../../api/metadata.ts';
import { type Language, useLanguage } from '../../language/language.tsx';
import german from './internal-types.de.json' with { type: 'json' };
import english from './internal-types.en.json' with { type: 'json' };

type Texts = Readonly<Record<string, string>>;

/** The API does not name internal types and their attributes, which only the log shows. */
const internal: Readonly<Record<Language, { readonly types: Texts; readonly attributes: Texts }>> =
  { en: english, de: german };

/** Returns a function that returns the label of an entity type, even of an internal one. */
export function useLoggedTypeLabel(): (type: string) => string {
  const { language } = useLanguage();
  const typeLabel = useTypeLabel();
  return (type) => internal[language].types[type] ?? typeLabel(type);
}

/**
 * Returns a function that returns the label of an attribute, or else of the field to which it belongs. Returns the
 * attribute itself for attributes of internal types of a later version.
 */
export function useLoggedPartLabel(): (type: string, attribute: string) => string {
  const { language } = useLanguage();
  const metadata = useMetadata();
  const typeLabel = useLoggedTypeLabel();
  return (type, attribute) => {
    const entity = metadata.get(type);
    // The permissions of a role for one entity type are an attribute such as `data.Account`.
    const [whole = attribute, part] = attribute.split('.');
    const own = entity?.ownLabelOf(whole) ?? internal[language].attributes[whole];
    const label = own ?? entity?.labelOf(fieldNameOf(whole)) ?? whole;
    return part === undefined ? label : `${label}: ${typeLabel(part)}`;
  };
}
