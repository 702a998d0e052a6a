import {
  type LabelLanguage,
  labelOfName,
  toWords,
} from '../../../shared/domain/entity/labels/labels.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { FieldProblem, ValueForm } from '../../../shared/domain/errors.ts';
import type { Rejection } from './import-tally.ts';

type ProblemText = (label: string, limits: Limits) => string;
type Limits = NonNullable<FieldProblem['parameters']>;

interface RejectionTexts {
  /** The headers of the columns that follow those of the file. */
  readonly columns: readonly [row: string, reason: string];
  readonly codes: Readonly<Record<string, string>>;
  readonly noLinked: (label: string) => string;
  readonly problems: Readonly<Record<Exclude<FieldProblem['type'], 'valid'>, ProblemText>>;
  readonly forms: Readonly<Record<ValueForm, ProblemText>>;
}

const english: RejectionTexts = {
  columns: ['Row', 'Reason'],
  codes: {
    'record.duplicate': 'A record with the same name or e-mail address exists.',
    'import.no_match': 'No record matches this row.',
    'import.text': 'The row contains a character that cannot be stored.',
    'access.denied': 'You do not have permission to write this record.',
    'record.not_found': 'The record does not exist, or you do not have access to it.',
    'link.forbidden': 'You do not have permission to link one of these records.',
    'link.non_existing': 'One of the linked records does not exist.',
  },
  noLinked: (label) => `${label}: no record has this name.`,
  problems: {
    required: (label) => `${label} is required.`,
    maxLength: (label, { maxLength }) => `${label} can have up to ${maxLength} characters.`,
    maxItemLength: (label, { maxLength }) =>
      `Each entry of ${label} can have up to ${maxLength} characters.`,
    maxCount: (label, { maxCount }) => `${label} can have up to ${maxCount} entries.`,
    min: (label, { min }) => `${label} must be at least ${min}.`,
    max: (label, { max }) => `${label} must be at most ${max}.`,
    rangeInternal: (label, { min, max }) => `${label} must be between ${min} and ${max}.`,
    inPermittedRange: (label, { min, max }) => `${label} must be between ${min} and ${max}.`,
    validCurrency: (label) => `${label} needs a currency that this installation supports.`,
    emailAddress: (label) => `${label} must be a valid e-mail address.`,
    pattern: (label) => `${label} contains characters that are not allowed.`,
    array: (label) => `${label} must be a list.`,
    arrayOfString: (label) => `${label} must be a list.`,
    noEmptyString: (label) => `${label} must not have empty entries.`,
    columnsValid: (label) => `The details of ${label} are invalid.`,
    rowSize: (label) => `The record has too much text. Shorten ${label} or another field.`,
    assignment: (label) => `You do not have permission to choose this ${label}.`,
    closed: (label) => `You do not have permission to change ${label}.`,
    unknown: (label) => `${label} does not exist.`,
    notInternal: (label) => `${label}: private addresses are blocked.`,
    entityType: (label) => `${label} must be a type of records.`,
    field: (label) => `${label} must be a field or a link.`,
  },
  forms: {
    text: (label) => `${label} must be text.`,
    storable: (label) => `${label} contains characters that cannot be stored.`,
    integer: (label) => `${label} must be a whole number.`,
    number: (label) => `${label} must be a number.`,
    boolean: (label) => `${label} must be true or false.`,
    date: (label) => `${label} must be a date.`,
    dateTime: (label) => `${label} must be a date with a time.`,
    url: (label) => `${label} must be a valid web address.`,
    webUrl: (label) => `${label} must be a web address that begins with http:// or https://.`,
    phoneNumber: (label) => `${label} must be a valid phone number.`,
    option: (label) => `${label} must be one of the options.`,
    list: (label) => `${label} must be a list.`,
    ids: (label) => `${label} must be existing records.`,
    parent: (label) => `${label} must be an existing record.`,
    jsonObject: (label) => `${label} must be a JSON object.`,
    jsonList: (label) => `${label} must be a JSON array.`,
    header: (label) => `${label} has an invalid name or value.`,
  },
};

const german: RejectionTexts = {
  columns: ['Zeile', 'Grund'],
  codes: {
    'record.duplicate':
      'Es gibt bereits einen Datensatz mit demselben Namen oder derselben E-Mail-Adresse.',
    'import.no_match': 'Zu dieser Zeile gibt es keinen Datensatz.',
    'import.text': 'Die Zeile enthält ein Zeichen, das nicht gespeichert werden kann.',
    'access.denied': 'Sie dürfen diesen Datensatz nicht schreiben.',
    'record.not_found': 'Den Datensatz gibt es nicht, oder Sie haben keinen Zugriff darauf.',
    'link.forbidden': 'Sie dürfen einen dieser Datensätze nicht verknüpfen.',
    'link.non_existing': 'Einen der verknüpften Datensätze gibt es nicht.',
  },
  noLinked: (label) => `${label}: Kein Datensatz hat diesen Namen.`,
  problems: {
    required: (label) => `${label} ist ein Pflichtfeld.`,
    maxLength: (label, { maxLength }) => `${label} darf höchstens ${maxLength} Zeichen lang sein.`,
    maxItemLength: (label, { maxLength }) =>
      `Jeder Eintrag in ${label} darf höchstens ${maxLength} Zeichen haben.`,
    maxCount: (label, { maxCount }) => `${label} darf höchstens ${maxCount} Einträge haben.`,
    min: (label, { min }) => `${label} muss mindestens ${min} sein.`,
    max: (label, { max }) => `${label} darf höchstens ${max} sein.`,
    rangeInternal: (label, { min, max }) => `${label} muss zwischen ${min} und ${max} liegen.`,
    inPermittedRange: (label, { min, max }) => `${label} muss zwischen ${min} und ${max} liegen.`,
    validCurrency: (label) => `${label} braucht eine Währung dieser Installation.`,
    emailAddress: (label) => `${label} muss eine gültige E-Mail-Adresse sein.`,
    pattern: (label) => `${label} enthält nicht erlaubte Zeichen.`,
    array: (label) => `${label} muss eine Liste sein.`,
    arrayOfString: (label) => `${label} muss eine Liste sein.`,
    noEmptyString: (label) => `${label} darf keine leeren Einträge haben.`,
    columnsValid: (label) => `Die Angaben zu ${label} sind ungültig.`,
    rowSize: (label) =>
      `Der Datensatz hat zu viel Text. Kürzen Sie ${label} oder ein anderes Feld.`,
    assignment: (label) => `${label}: Diese Auswahl ist Ihnen nicht erlaubt.`,
    closed: (label) => `Sie dürfen ${label} nicht ändern.`,
    unknown: (label) => `${label} gibt es nicht.`,
    notInternal: (label) => `${label}: Private Adressen sind gesperrt.`,
    entityType: (label) => `${label} muss ein Datensatztyp sein.`,
    field: (label) => `${label} muss ein Feld oder eine Verknüpfung sein.`,
  },
  forms: {
    text: (label) => `${label} muss ein Text sein.`,
    storable: (label) => `${label} enthält Zeichen, die nicht gespeichert werden können.`,
    integer: (label) => `${label} muss eine ganze Zahl sein.`,
    number: (label) => `${label} muss eine Zahl sein.`,
    boolean: (label) => `${label} muss Ja oder Nein sein.`,
    date: (label) => `${label} muss ein Datum sein.`,
    dateTime: (label) => `${label} muss ein Datum mit Uhrzeit sein.`,
    url: (label) => `${label} muss eine gültige Webadresse sein.`,
    webUrl: (label) => `${label} muss eine Webadresse sein, die mit http:// oder https:// beginnt.`,
    phoneNumber: (label) => `${label} muss eine gültige Telefonnummer sein.`,
    option: (label) => `${label} muss eine der Optionen sein.`,
    list: (label) => `${label} muss eine Liste sein.`,
    ids: (label) => `${label} muss aus vorhandenen Datensätzen bestehen.`,
    parent: (label) => `${label} muss ein vorhandener Datensatz sein.`,
    jsonObject: (label) => `${label} muss ein JSON-Objekt sein.`,
    jsonList: (label) => `${label} muss eine JSON-Liste sein.`,
    header: (label) => `${label} hat einen ungültigen Namen oder Wert.`,
  },
};

const textsIn: Readonly<Record<LabelLanguage, RejectionTexts>> = { en: english, de: german };

/** The headers of the columns that the file with the rejected rows has in addition to those of the source. */
export function addedColumns(language: LabelLanguage): readonly [row: string, reason: string] {
  return textsIn[language].columns;
}

/** Returns why a row was not imported, with the labels of fields. Errors without a text keep the API's message. */
export function toReason(
  { code, message, problems }: Pick<Rejection, 'code' | 'message' | 'problems'>,
  { model, language }: { readonly model: EntityModel; readonly language: LabelLanguage },
): string {
  const texts = textsIn[language];
  if (problems.length === 0) return texts.codes[code] ?? message;
  return problems
    .map(({ field, type, parameters = {}, message: own }) => {
      const label = labelOfField(field, model, language);
      if (code === 'import.no_link') return texts.noLinked(label);
      if (type !== 'valid') return texts.problems[type](label, parameters);
      return parameters.form === undefined ? own : texts.forms[parameters.form](label, parameters);
    })
    .join(' ');
}

function labelOfField(field: string, model: EntityModel, language: LabelLanguage): string {
  const { label, isCustom } = model.fields.get(field) ?? {};
  return label ?? (isCustom === true ? toWords(field) : labelOfName(field, model.name, language));
}
