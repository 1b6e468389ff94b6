export interface SipCodeWords {
  /** The code's standard name. */
  readonly name: string;
  /** What it means for this call. */
  readonly meaning: string;
}

/** Responses to an INVITE, with their names in IANA's registry of SIP response codes. */
const CODES: Readonly<Record<number, SipCodeWords>> = {
  180: { name: 'Ringing', meaning: 'The phone is ringing.' },
  181: { name: 'Call Is Being Forwarded', meaning: 'The call is forwarded to another phone.' },
  182: { name: 'Queued', meaning: 'The far end queued the call.' },
  183: { name: 'Session Progress', meaning: 'The network sends audio before the answer.' },
  200: { name: 'OK', meaning: 'The call was answered.' },
  202: { name: 'Accepted', meaning: 'The far end accepted the call.' },
  300: {
    name: 'Multiple Choices',
    meaning: 'The number has several destinations. Redirects are not followed.',
  },
  301: { name: 'Moved Permanently', meaning: 'The number has moved permanently. Redirects are not followed.' },
  302: { name: 'Moved Temporarily', meaning: 'The number has moved temporarily. Redirects are not followed.' },
  305: {
    name: 'Use Proxy',
    meaning: 'The carrier requires another server. Redirects are not followed.',
  },
  380: { name: 'Alternative Service', meaning: 'The carrier offers another service instead of this call.' },
  400: { name: 'Bad Request', meaning: 'The carrier did not understand the request.' },
  401: { name: 'Unauthorized', meaning: 'The carrier rejected the trunk’s username or password.' },
  402: { name: 'Payment Required', meaning: 'The carrier requires payment.' },
  403: { name: 'Forbidden', meaning: 'The carrier does not allow this trunk to place the call.' },
  404: { name: 'Not Found', meaning: 'The number does not exist.' },
  405: { name: 'Method Not Allowed', meaning: 'The far end does not accept this kind of call.' },
  406: { name: 'Not Acceptable', meaning: 'The far end cannot answer in a requested format.' },
  407: {
    name: 'Proxy Authentication Required',
    meaning: 'The carrier rejected the trunk’s username or password.',
  },
  408: { name: 'Request Timeout', meaning: 'The callee could not be found in time.' },
  410: { name: 'Gone', meaning: 'The number is no longer in use.' },
  413: { name: 'Request Entity Too Large', meaning: 'The request was larger than the carrier allows.' },
  414: { name: 'Request-URI Too Long', meaning: 'The address was longer than the carrier allows.' },
  415: { name: 'Unsupported Media Type', meaning: 'The carrier does not support the offered media format.' },
  416: { name: 'Unsupported URI Scheme', meaning: 'The carrier does not support this kind of address.' },
  417: { name: 'Unknown Resource-Priority', meaning: 'The carrier does not recognize the call’s priority.' },
  420: { name: 'Bad Extension', meaning: 'The carrier does not support an extension that the call requires.' },
  421: { name: 'Extension Required', meaning: 'The carrier requires an extension that the call does not use.' },
  422: {
    name: 'Session Interval Too Small',
    meaning: 'The carrier requires a longer session interval.',
  },
  423: { name: 'Interval Too Brief', meaning: 'The carrier requires a longer registration interval.' },
  424: { name: 'Bad Location Information', meaning: 'The carrier did not understand the location sent with the call.' },
  428: { name: 'Use Identity Header', meaning: 'The carrier requires a signed caller number.' },
  429: { name: 'Provide Referrer Identity', meaning: 'The carrier requires the identity of the transferring party.' },
  433: { name: 'Anonymity Disallowed', meaning: 'The callee rejects calls without a caller number.' },
  436: { name: 'Bad Identity Info', meaning: 'The signature of the caller number could not be read.' },
  437: { name: 'Unsupported Credential', meaning: 'The signature of the caller number is not trusted.' },
  438: { name: 'Invalid Identity Header', meaning: 'The signature of the caller number is invalid.' },
  440: { name: 'Max-Breadth Exceeded', meaning: 'The call was sent to more destinations than allowed.' },
  480: {
    name: 'Temporarily Unavailable',
    meaning: 'The callee’s phone is off, out of reach or not accepting calls.',
  },
  481: { name: 'Call/Transaction Does Not Exist', meaning: 'The far end no longer knows the call.' },
  482: { name: 'Loop Detected', meaning: 'The call was routed in a loop.' },
  483: { name: 'Too Many Hops', meaning: 'The call passed through more servers than allowed.' },
  484: { name: 'Address Incomplete', meaning: 'The number is too short.' },
  485: { name: 'Ambiguous', meaning: 'The number is ambiguous.' },
  486: { name: 'Busy Here', meaning: 'The callee is on another call.' },
  487: { name: 'Request Terminated', meaning: 'The call was canceled before it was answered.' },
  488: { name: 'Not Acceptable Here', meaning: 'The far end supports none of the offered audio formats.' },
  489: { name: 'Bad Event', meaning: 'The carrier does not support the requested event.' },
  491: { name: 'Request Pending', meaning: 'Both sides tried to change the call at the same time.' },
  493: { name: 'Undecipherable', meaning: 'The far end could not decrypt the request.' },
  494: { name: 'Security Agreement Required', meaning: 'The carrier requires a security agreement first.' },
  500: { name: 'Server Internal Error', meaning: 'The carrier had an internal error.' },
  501: { name: 'Not Implemented', meaning: 'The carrier does not support the request.' },
  502: { name: 'Bad Gateway', meaning: 'A network behind the carrier sent an invalid response.' },
  503: { name: 'Service Unavailable', meaning: 'The carrier is overloaded or under maintenance.' },
  504: { name: 'Server Timeout', meaning: 'A network behind the carrier did not respond in time.' },
  505: { name: 'Version Not Supported', meaning: 'The carrier uses another version of SIP.' },
  513: { name: 'Message Too Large', meaning: 'The request was larger than the carrier allows.' },
  580: { name: 'Precondition Failure', meaning: 'The call could not be set up with the requested quality.' },
  600: { name: 'Busy Everywhere', meaning: 'The callee is busy on every phone.' },
  603: { name: 'Decline', meaning: 'The callee declined the call.' },
  604: { name: 'Does Not Exist Anywhere', meaning: 'The number does not exist.' },
  606: {
    name: 'Not Acceptable',
    meaning: 'The callee was reached, but the call could not be set up as requested.',
  },
  607: { name: 'Unwanted', meaning: 'The callee has marked calls from this number as unwanted.' },
  608: { name: 'Rejected', meaning: 'An intermediary blocked the call, often as suspected spam.' },
};

/** Describes a code. An unknown code is described by its class, as in RFC 3261 section 8.1.3.2. */
export function sipCodeWords(code: number): SipCodeWords {
  return CODES[code] ?? { name: 'Unknown code', meaning: meaningOfClass(code) };
}

function meaningOfClass(code: number): string {
  if (code >= 100 && code < 200) return 'The call is in progress.';
  if (code >= 200 && code < 300) return 'The far end accepted the call.';
  if (code >= 300 && code < 400) return 'The call was redirected. Redirects are not followed.';
  if (code >= 400 && code < 500) return 'The carrier could not place the call as requested.';
  if (code >= 500 && code < 600) return 'The carrier had an internal error.';
  if (code >= 600 && code < 700) return 'The callee cannot be reached.';
  return 'This is not a valid SIP response.';
}
