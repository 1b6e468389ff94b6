export interface SipCodeWords {
  /** The code's name in its standard. */
  readonly name: string;
  /** What it says of this call. */
  readonly meaning: string;
}

/** Responses to an INVITE, as the registry of SIP response codes at IANA names them. */
const CODES: Readonly<Record<number, SipCodeWords>> = {
  180: { name: 'Ringing', meaning: 'The telephone rings.' },
  181: { name: 'Call Is Being Forwarded', meaning: 'The call is diverted to another telephone.' },
  182: { name: 'Queued', meaning: 'The far end has put the call in a queue.' },
  183: { name: 'Session Progress', meaning: 'Sound comes from the network before anybody has answered.' },
  200: { name: 'OK', meaning: 'The call was answered.' },
  202: { name: 'Accepted', meaning: 'The call was taken on by the far end.' },
  300: {
    name: 'Multiple Choices',
    meaning: 'The number can be reached at several places; redirections are not followed.',
  },
  301: { name: 'Moved Permanently', meaning: 'The number has moved for good; redirections are not followed.' },
  302: { name: 'Moved Temporarily', meaning: 'Calls to the number are diverted; redirections are not followed.' },
  305: {
    name: 'Use Proxy',
    meaning: 'The carrier wants the call through another server; redirections are not followed.',
  },
  380: { name: 'Alternative Service', meaning: 'The carrier offers another service in place of this call.' },
  400: { name: 'Bad Request', meaning: 'The carrier did not understand the request.' },
  401: { name: 'Unauthorized', meaning: 'The carrier did not accept the trunk’s user name or password.' },
  402: { name: 'Payment Required', meaning: 'The carrier wants its own account to be paid up.' },
  403: { name: 'Forbidden', meaning: 'The carrier does not let this trunk place the call.' },
  404: { name: 'Not Found', meaning: 'Nobody has this number.' },
  405: { name: 'Method Not Allowed', meaning: 'The far end takes no calls of this kind.' },
  406: { name: 'Not Acceptable', meaning: 'The far end cannot answer in a form that was asked for.' },
  407: {
    name: 'Proxy Authentication Required',
    meaning: 'The carrier did not accept the trunk’s user name or password.',
  },
  408: { name: 'Request Timeout', meaning: 'The callee could not be found in time.' },
  410: { name: 'Gone', meaning: 'The number was in use once, and is not any more.' },
  413: { name: 'Request Entity Too Large', meaning: 'The request was larger than the carrier takes.' },
  414: { name: 'Request-URI Too Long', meaning: 'The address was longer than the carrier takes.' },
  415: { name: 'Unsupported Media Type', meaning: 'The carrier does not take sound described in this way.' },
  416: { name: 'Unsupported URI Scheme', meaning: 'The carrier does not take addresses of this kind.' },
  417: { name: 'Unknown Resource-Priority', meaning: 'The carrier does not know the priority of the call.' },
  420: { name: 'Bad Extension', meaning: 'The carrier does not know an extension that the call needs.' },
  421: { name: 'Extension Required', meaning: 'The carrier needs an extension that the call does not have.' },
  422: {
    name: 'Session Interval Too Small',
    meaning: 'The carrier wants to be asked less often whether the call is up.',
  },
  423: { name: 'Interval Too Brief', meaning: 'The carrier wants a registration that lasts longer.' },
  424: { name: 'Bad Location Information', meaning: 'The location sent with the call was not understood.' },
  428: { name: 'Use Identity Header', meaning: 'The carrier wants the caller number to be signed.' },
  429: { name: 'Provide Referrer Identity', meaning: 'The carrier wants to know who has transferred the call.' },
  433: { name: 'Anonymity Disallowed', meaning: 'The callee takes no calls without a caller number.' },
  436: { name: 'Bad Identity Info', meaning: 'The signature of the caller number could not be read.' },
  437: { name: 'Unsupported Credential', meaning: 'The signature of the caller number is not trusted.' },
  438: { name: 'Invalid Identity Header', meaning: 'The signature of the caller number is not right.' },
  440: { name: 'Max-Breadth Exceeded', meaning: 'The call was sent to more places than are allowed.' },
  480: {
    name: 'Temporarily Unavailable',
    meaning: 'The callee’s telephone is off, out of reach, or takes no calls now.',
  },
  481: { name: 'Call/Transaction Does Not Exist', meaning: 'The far end knew nothing of the call any more.' },
  482: { name: 'Loop Detected', meaning: 'The carrier sent the call round in a circle.' },
  483: { name: 'Too Many Hops', meaning: 'The call passed through more servers than are allowed.' },
  484: { name: 'Address Incomplete', meaning: 'The number is too short.' },
  485: { name: 'Ambiguous', meaning: 'The number could mean several telephones.' },
  486: { name: 'Busy Here', meaning: 'The callee is on another call.' },
  487: { name: 'Request Terminated', meaning: 'The call was given up before anybody answered.' },
  488: { name: 'Not Acceptable Here', meaning: 'The far end offers no sound format that both sides speak.' },
  489: { name: 'Bad Event', meaning: 'The carrier does not know the event that was asked for.' },
  491: { name: 'Request Pending', meaning: 'Both sides wanted to change the call at once.' },
  493: { name: 'Undecipherable', meaning: 'The far end could not decrypt the request.' },
  494: { name: 'Security Agreement Required', meaning: 'The carrier wants a security agreement first.' },
  500: { name: 'Server Internal Error', meaning: 'Something failed at the carrier.' },
  501: { name: 'Not Implemented', meaning: 'The carrier cannot do what was asked for.' },
  502: { name: 'Bad Gateway', meaning: 'A network behind the carrier gave no valid answer.' },
  503: { name: 'Service Unavailable', meaning: 'The carrier is overloaded or under repair.' },
  504: { name: 'Server Timeout', meaning: 'A network behind the carrier did not answer in time.' },
  505: { name: 'Version Not Supported', meaning: 'The carrier speaks another version of SIP.' },
  513: { name: 'Message Too Large', meaning: 'The request was larger than the carrier takes.' },
  580: { name: 'Precondition Failure', meaning: 'The line could not be set up with the quality that was asked for.' },
  600: { name: 'Busy Everywhere', meaning: 'The callee is busy on every telephone.' },
  603: { name: 'Decline', meaning: 'The callee does not want to take the call.' },
  604: { name: 'Does Not Exist Anywhere', meaning: 'The number does not exist.' },
  606: {
    name: 'Not Acceptable',
    meaning: 'The callee was reached, but the call could not be set up as it was asked for.',
  },
  607: { name: 'Unwanted', meaning: 'The callee has marked calls from this number as unwanted.' },
  608: { name: 'Rejected', meaning: 'A service on the way blocked the call, often as suspected spam.' },
};

/** A code in words. One that no standard names is told by its class, as RFC 3261 section 8.1.3.2 wants it treated. */
export function sipCodeWords(code: number): SipCodeWords {
  return CODES[code] ?? { name: 'Unnamed response', meaning: meaningOfClass(code) };
}

function meaningOfClass(code: number): string {
  if (code >= 100 && code < 200) return 'The call is on its way.';
  if (code >= 200 && code < 300) return 'The far end took the call.';
  if (code >= 300 && code < 400) return 'The call was redirected; redirections are not followed.';
  if (code >= 400 && code < 500) return 'The carrier could not place the call as it was asked for.';
  if (code >= 500 && code < 600) return 'Something failed at the carrier.';
  if (code >= 600 && code < 700) return 'The callee cannot be reached anywhere.';
  return 'This is no response that a standard knows.';
}
