// The `format`s of string fields that an API server enforces. A name that is not in the table means
// nothing to it, int32 and int64 included: numbers are only held to their minimum and maximum.
import { isIPv4, isIPv6 } from 'node:net';

const hex = '[0-9a-f]';

function uuid(version: string, variant: string): RegExp {
  return new RegExp(`^${hex}{8}-?${hex}{4}-?${version}-?${variant}-?${hex}{12}$`, 'i');
}

const anyFour = `${hex}{4}`;
const rfcVariant = `[89ab]${hex}{3}`;

function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (match === null) return false;
  const [year, month, day] = match.slice(1).map(Number) as [number, number, number];
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

const timeOfDay = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|[+-]\d{2}:\d{2})$/;

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const match = timeOfDay.exec(time);
  if (match === null || !isDate(date)) return false;
  const [, hours = '', minutes = '', seconds = ''] = match;
  return hours <= '23' && minutes <= '59' && seconds <= '59';
}

const goDuration = /^[+-]?(?:0|(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/;
const longDuration =
  /\d+\s*(?:ns|nano|us|µs|micro|ms|milli|s|sec|m|min|h|hr|hour|d|day|w|wk|week)/i;

function isCidr(text: string): boolean {
  const [address = '', length = '', ...rest] = text.split('/');
  if (rest.length > 0 || !/^\d+$/.test(length)) return false;
  if (isIPv4(address)) return Number(length) <= 32;
  return isIPv6(address) && Number(length) <= 128;
}

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  return (
    hostname.test(text) && text.length <= 255 && text.split('.').every((part) => part.length <= 63)
  );
}

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;

const shortName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const longName = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;

function matching(pattern: RegExp, maxLength = Infinity): (text: string) => boolean {
  return (text) => text.length <= maxLength && pattern.test(text);
}

const checks: Readonly<Record<string, (text: string) => boolean>> = {
  datetime: isDateTime,
  date: isDate,
  duration: (text) => goDuration.test(text) || longDuration.test(text),
  byte: matching(base64),
  password: () => true,
  uuid: matching(uuid(anyFour, anyFour)),
  uuid3: matching(uuid(`3${hex}{3}`, anyFour)),
  uuid4: matching(uuid(`4${hex}{3}`, rfcVariant)),
  uuid5: matching(uuid(`5${hex}{3}`, rfcVariant)),
  ipv4: isIPv4,
  ipv6: isIPv6,
  cidr: isCidr,
  mac: matching(/^[0-9a-f]{2}([:-][0-9a-f]{2}){5}(([:-][0-9a-f]{2}){2})?$/i),
  hostname: isHostname,
  uri: (text) => text.startsWith('/') || URL.canParse(text),
  email: matching(/^(?:[^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/),
  hexcolor: matching(/^#?([0-9a-f]{3}|[0-9a-f]{6})$/i),
  k8sshortname: matching(shortName, 63),
  k8slongname: matching(longName, 253),
};

/** The check of a format, or undefined when the server does not know it either. */
export function formatCheck(format: string | undefined): ((text: string) => boolean) | undefined {
  return format === undefined ? undefined : checks[format.replaceAll('-', '')];
}
