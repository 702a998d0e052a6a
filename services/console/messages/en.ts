import account from './en/account.json' with { type: 'json' };
import bin from './en/bin.json' with { type: 'json' };
import board from './en/board.json' with { type: 'json' };
import calendar from './en/calendar.json' with { type: 'json' };
import conflict from './en/conflict.json' with { type: 'json' };
import contact from './en/contact.json' with { type: 'json' };
import contacts from './en/contacts.json' with { type: 'json' };
import convert from './en/convert.json' with { type: 'json' };
import copyAs from './en/copyAs.json' with { type: 'json' };
import dates from './en/dates.json' with { type: 'json' };
import drag from './en/drag.json' with { type: 'json' };
import errors from './en/errors.json' with { type: 'json' };
import event from './en/event.json' with { type: 'json' };
import exports from './en/exports.json' with { type: 'json' };
import forms from './en/forms.json' with { type: 'json' };
import home from './en/home.json' with { type: 'json' };
import many from './en/many.json' with { type: 'json' };
import notifications from './en/notifications.json' with { type: 'json' };
import operators from './en/operators.json' with { type: 'json' };
import parts from './en/parts.json' with { type: 'json' };
import problems from './en/problems.json' with { type: 'json' };
import record from './en/record.json' with { type: 'json' };
import records from './en/records.json' with { type: 'json' };
import related from './en/related.json' with { type: 'json' };
import reminders from './en/reminders.json' with { type: 'json' };
import richText from './en/richText.json' with { type: 'json' };
import search from './en/search.json' with { type: 'json' };
import shell from './en/shell.json' with { type: 'json' };
import signIn from './en/signIn.json' with { type: 'json' };
import stream from './en/stream.json' with { type: 'json' };
import time from './en/time.json' with { type: 'json' };
import titles from './en/titles.json' with { type: 'json' };
import undo from './en/undo.json' with { type: 'json' };
import viewAs from './en/viewAs.json' with { type: 'json' };
import views from './en/views.json' with { type: 'json' };

export const messages = {
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

export type MessageKey = keyof typeof messages;
