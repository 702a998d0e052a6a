import account from './de/account.json' with { type: 'json' };
import bin from './de/bin.json' with { type: 'json' };
import board from './de/board.json' with { type: 'json' };
import calendar from './de/calendar.json' with { type: 'json' };
import conflict from './de/conflict.json' with { type: 'json' };
import contact from './de/contact.json' with { type: 'json' };
import contacts from './de/contacts.json' with { type: 'json' };
import convert from './de/convert.json' with { type: 'json' };
import copyAs from './de/copyAs.json' with { type: 'json' };
import dates from './de/dates.json' with { type: 'json' };
import drag from './de/drag.json' with { type: 'json' };
import errors from './de/errors.json' with { type: 'json' };
import event from './de/event.json' with { type: 'json' };
import exports from './de/exports.json' with { type: 'json' };
import forms from './de/forms.json' with { type: 'json' };
import home from './de/home.json' with { type: 'json' };
import many from './de/many.json' with { type: 'json' };
import notifications from './de/notifications.json' with { type: 'json' };
import operators from './de/operators.json' with { type: 'json' };
import parts from './de/parts.json' with { type: 'json' };
import problems from './de/problems.json' with { type: 'json' };
import record from './de/record.json' with { type: 'json' };
import records from './de/records.json' with { type: 'json' };
import related from './de/related.json' with { type: 'json' };
import reminders from './de/reminders.json' with { type: 'json' };
import richText from './de/richText.json' with { type: 'json' };
import search from './de/search.json' with { type: 'json' };
import shell from './de/shell.json' with { type: 'json' };
import signIn from './de/signIn.json' with { type: 'json' };
import stream from './de/stream.json' with { type: 'json' };
import time from './de/time.json' with { type: 'json' };
import titles from './de/titles.json' with { type: 'json' };
import undo from './de/undo.json' with { type: 'json' };
import viewAs from './de/viewAs.json' with { type: 'json' };
import views from './de/views.json' with { type: 'json' };
import type { MessageKey } from './en.ts';

export const messages: Readonly<Record<MessageKey, string>> = {
  ...account,
  ...board,
  ...bin,
  ...calendar,
  ...conflict,
  ...contact,
  ...contacts,
  ...convert,
  ...copyAs,
  ...dates,
  ...drag,
  ...errors,
  ...event,
  ...exports,
  ...forms,
  ...home,
  ...many,
  ...notifications,
  ...operators,
  ...parts,
  ...problems,
  ...record,
  ...records,
  ...related,
  ...reminders,
  ...richText,
  ...search,
  ...shell,
  ...signIn,
  ...stream,
  ...time,
  ...titles,
  ...undo,
  ...viewAs,
  ...views,
};
