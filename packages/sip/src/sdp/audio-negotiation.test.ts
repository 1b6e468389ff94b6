import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AUDIO, sdpOf } from '../../test/bench.ts';
import { AudioNegotiation } from './audio-negotiation.ts';
import { parseSdp } from './parse-sdp.ts';
import type { Direction } from './session-description.ts';

const negotiate = () => new AudioNegotiation(AUDIO, 42);

describe('our offer', () => {
  it('has both codecs, DTMF, the packet length and the direction', () => {
    expect(negotiate().offer().split('\r\n')).toEqual([
      'v=0',
      'o=- 42 1 IN IP4 10.0.0.1',
      's=-',
      'c=IN IP4 10.0.0.1',
      't=0 0',
      'm=audio 40000 RTP/AVP 0 8 101',
      'a=rtpmap:0 PCMU/8000',
      'a=rtpmap:8 PCMA/8000',
      'a=rtpmap:101 telephone-event/8000',
      'a=fmtp:101 0-16',
      'a=ptime:20',
      'a=sendrecv',
      '',
    ]);
  });

  it('keeps its version while it is unchanged (RFC 3264 section 8)', () => {
    const negotiation = negotiate();
    const versions = [negotiation.offer(), negotiation.offer(), negotiation.offer('sendonly'), negotiation.offer()];
    expect(versions.map((sdp) => / (\d+) IN/.exec(sdp)?.[1])).toEqual(['1', '1', '2', '2']);
  });
});

const answer = (...lines: string[]) => negotiate().answer(['v=0', 'c=IN IP4 192.0.2.9', ...lines, ''].join('\r\n'));

describe('our answer', () => {
  it('takes the first supported codec of the offer, with its payload types', () => {
    const answered = answer(
      'm=audio 4000 RTP/AVP 18 97 0 96',
      'a=rtpmap:97 PCMA/8000',
      'a=rtpmap:96 telephone-event/8000',
      'a=ptime:30',
    );
    expect(answered?.sdp).toContain('m=audio 40000 RTP/AVP 97 96\r\n');
    expect(answered?.audio).toEqual({
      codec: 'PCMA',
      payloadType: 97,
      dtmfPayloadType: 96,
      remoteAddress: '192.0.2.9',
      remotePort: 4000,
      ptimeMs: 30,
      direction: 'sendrecv',
      held: false,
    });
  });

  it('rejects every other media section at its position (RFC 3264 section 6)', () => {
    const answered = answer('m=video 5000 RTP/AVP 31', 'm=audio 4000 RTP/AVP 8', 'm=audio 4002 RTP/AVP 0');
    const sections = answered?.sdp.split('\r\n').filter((line) => line.startsWith('m='));
    expect(sections).toEqual(['m=video 0 RTP/AVP 31', 'm=audio 40000 RTP/AVP 8', 'm=audio 0 RTP/AVP 0']);
  });

  it('prefers the address of the media section over that of the session', () => {
    expect(answer('m=audio 4000 RTP/AVP 0', 'c=IN IP4 198.51.100.1')?.audio.remoteAddress).toBe('198.51.100.1');
  });

  it.each([
    ['no common codec', ['m=audio 4000 RTP/AVP 18']],
    ['a dynamic payload type without a name', ['m=audio 4000 RTP/AVP 97']],
    ['a static payload type mapped to another codec', ['m=audio 4000 RTP/AVP 0', 'a=rtpmap:0 OPUS/48000']],
    ['encrypted audio only', ['m=audio 4000 RTP/SAVP 0']],
    ['a disabled section', ['m=audio 0 RTP/AVP 0']],
    ['video only', ['m=video 4000 RTP/AVP 0']],
    ['an IPv6 address', ['m=audio 4000 RTP/AVP 0', 'c=IN IP6 2001:db8::1']],
    ['a multicast address', ['m=audio 4000 RTP/AVP 0', 'c=IN IP4 224.2.1.1/127']],
    ['a host name', ['m=audio 4000 RTP/AVP 0', 'c=IN IP4 media.example.test']],
    ['a port beyond 65535', ['m=audio 70000 RTP/AVP 0']],
  ])('no answer to %s', (_what, lines) => {
    expect(answer(...lines)).toBeUndefined();
  });

  it('no answer to text without a valid description', () => {
    expect(negotiate().answer('hello')).toBeUndefined();
    expect(negotiate().acceptAnswer('')).toBeUndefined();
  });
});

/** Written separately from the code: who sends, who receives. */
const speaks = (direction: string) => direction.startsWith('send');

const listens = (direction: string) => direction.endsWith('recv') || direction === 'recvonly';

describe('directions (RFC 3264 section 6.1)', () => {
  const directions: Direction[] = ['sendrecv', 'sendonly', 'recvonly', 'inactive'];
  it('audio flows one way exactly if one side sends and the other receives', () => {
    fc.assert(
      fc.property(fc.constantFrom(...directions), fc.constantFrom(...directions), (ours, theirs) => {
        const negotiation = negotiate();
        negotiation.offer(ours);
        const audio = negotiation.acceptAnswer(sdpOf({ direction: theirs }));
        expect(speaks(audio?.direction ?? '')).toBe(speaks(ours) && listens(theirs));
        expect(listens(audio?.direction ?? '')).toBe(listens(ours) && speaks(theirs));
        expect(audio?.held).toBe(!listens(theirs));
      }),
    );
  });

  it('a session direction applies to sections without their own', () => {
    expect(
      parseSdp('v=0\r\na=recvonly\r\nm=audio 1 RTP/AVP 0\r\nm=audio 2 RTP/AVP 0\r\na=inactive\r\n')?.media.map(
        ({ direction }) => direction,
      ),
    ).toEqual(['recvonly', 'inactive']);
  });
});
