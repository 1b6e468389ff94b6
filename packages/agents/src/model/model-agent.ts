import { FRAME_MS, FRAME_SAMPLES, type AgentHangUp, type Frame } from '@outdial/calls';
import type { ProviderHangUp, VoiceAgent, VoiceAgentEvent, VoiceAgentResult } from '@outdial/calls';
import type { CallId, ConductedSettings } from '@outdial/contracts';
import { pause, unreachable, type Clock } from '@outdial/kernel';
import type { Heard, TurnDetector } from '../hearing/turn-detector.ts';
import { isLongPrompt } from '../hearing/who-answered.ts';
import type { ScriptLine } from '../scripted/script-line.ts';
import { ConversationRecord } from '../transcript/conversation-record.ts';
import { holdsPhrase } from './barge-in.ts';
import type { Act, FromMind, MindLine, MindLink, ToMind } from './bridge.ts';
import { HINTS, type ConductedTexts } from './conducted-texts.ts';
import { HeardKeys, KeyPresses } from './keys.ts';
import { ModelVoice, type Spoken } from './model-voice.ts';
import { moveOn, type Move } from './move-on.ts';
import { Outgoing } from './outgoing.ts';
import { afterHold, awaitsBeep, holdsAnswers, type FixedLine, type Phase } from './phase.ts';
import { SpeechOver } from './speech-over.ts';

export interface ModelAgentOptions {
  readonly callId: CallId;
  readonly settings: ConductedSettings;
  readonly texts: ConductedTexts;
  readonly link: MindLink;
  readonly detector: TurnDetector;
  readonly clock: Clock;
  /** By the built-in voice. */
  readonly failureLine: ScriptLine;
  readonly waitingLines: readonly ScriptLine[];
}

const SILENCE: Frame = new Int16Array(FRAME_SAMPLES);
/** The provider may still report the last words and the last usage. */
const LAST_WORDS_WITHIN_MS = 1_500;
/** A callee who speaks for this long over a closing wants to go on. */
const WANTS_TO_GO_ON_MS = 300;

/** Conducts one call with the mind at the other end of the bridge. Heard frames are its only clock during the call. */
export class ModelAgent implements VoiceAgent {
  readonly #options: ModelAgentOptions;
  readonly #detector: TurnDetector;
  readonly #line: MindLine;
  readonly #record: ConversationRecord;
  readonly #voice: ModelVoice;
  readonly #outgoing: Outgoing;
  readonly #over = new SpeechOver();
  readonly #heardKeys = new HeardKeys();
  readonly #presses = new KeyPresses();
  readonly #listeners: ((event: VoiceAgentEvent) => void)[] = [];
  /** Emitted before anybody listened. */
  readonly #unheard: VoiceAgentEvent[] = [];
  #phase: Phase = { name: 'opening', sinceMs: 0 };
  #gateOpen = false;
  #isOnHold = false;
  #settled = false;
  #paused: { readonly sinceMs: number } | null = null;
  #bargeInMs: number | null = null;
  #quietSinceMs = 0;
  #owedSinceMs: number | null = null;
  #answerBeganMs = -1;
  #calleeSpoke = false;
  #providerTurn = false;
  /** End of the agent's last turn. */
  #agentEndMs = -1;
  #spokenOver = false;
  #toolsRunning = 0;
  #waitBridged = false;
  #bridges = 0;
  #askedAgain = false;
  #noInputs = 0;
  #turns = 0;
  #endCancelled = false;
  /** End of the callee's speech that the agent's next turn answers. */
  #repliesToMs: number | null = null;
  #wasPlaying = false;
  #failedWith: ProviderHangUp | null = null;
  #isOver = false;
  #result: Promise<VoiceAgentResult> | undefined;
  #closed: (() => void) | undefined;

  constructor(options: ModelAgentOptions) {
    this.#options = options;
    this.#detector = options.detector;
    this.#record = new ConversationRecord((event) => this.#emit(event), { awaitsWords: true });
    this.#line = options.link.attach(options.callId, (event) => this.#onMind(event));
    const send = (message: ToMind) => this.#line.send(message);
    this.#outgoing = new Outgoing(send);
    this.#voice = new ModelVoice({ record: this.#record, send, emit: (event) => this.#emit(event) });
    this.#askOpening();
  }

  listen(listener: (event: VoiceAgentEvent) => void): void {
    this.#listeners.push(listener);
    for (const event of this.#unheard.splice(0)) listener(event);
  }

  hear(frame: Frame): void {
    if (this.#isOver) return;
    if (this.#isOnHold) {
      // Probably music on hold. Only time advances.
      const { nowMs } = this.#detector.hear(SILENCE);
      this.#outgoing.add(SILENCE, nowMs - FRAME_MS);
      return this.#outgoing.follow(null, nowMs);
    }
    const heard = this.#detector.hear(frame);
    // The mind is deaf to the keys that it presses.
    const isDeaf = this.#presses.busy;
    this.#outgoing.add(isDeaf ? SILENCE : frame, heard.nowMs - FRAME_MS);
    this.#outgoing.follow(isDeaf ? null : (heard.turn?.startMs ?? null), heard.nowMs);
    this.#followCallee(heard);
    for (const spoken of this.#voice.follow()) this.#afterItem(spoken, heard);
    this.#followBuiltIn();
    this.#followKeys(heard.nowMs);
    if (heard.beep && this.#beepMeansVoicemail()) this.#onBeep();
    else this.#carryOut(this.#move(heard), heard);
    this.#record.pass(heard.nowMs);
  }

  hearDigits(digits: string): void {
    if (this.#isOver || digits === '') return;
    const nowMs = this.#detector.nowMs();
    this.#cutCallee();
    this.#record.calleePressed(digits, nowMs);
    this.#heardKeys.add(digits, nowMs);
    this.#quietSinceMs = nowMs;
  }

  setOnHold(isOnHold: boolean): void {
    if (isOnHold === this.#isOnHold) return;
    this.#isOnHold = isOnHold;
    const nowMs = this.#detector.nowMs();
    if (isOnHold) return this.#cutCallee();
    this.#phase = afterHold(this.#phase, nowMs);
    this.#quietSinceMs = nowMs;
    if (this.#owedSinceMs !== null) this.#owedSinceMs = nowMs;
  }

  speak(): Frame | undefined {
    if (this.#isOver || this.#isOnHold) return undefined;
    return this.#voice.speak(this.#detector.nowMs(), holdsAnswers(this.#phase));
  }

  finish(): Promise<VoiceAgentResult> {
    this.#result ??= this.#finish();
    return this.#result;
  }

  async #finish(): Promise<VoiceAgentResult> {
    this.#isOver = true;
    for (const spoken of this.#voice.follow()) this.#measure(spoken);
    const cut = this.#voice.cut();
    if (cut !== null) this.#measure(cut);
    this.#cutCallee();
    this.#detector.free();
    if (this.#failedWith === null) {
      const closed = new Promise<void>((resolve) => {
        this.#closed = resolve;
      });
      this.#line.send({ kind: 'close' });
      const limit = new AbortController();
      await Promise.race([closed, pause(this.#options.clock, LAST_WORDS_WITHIN_MS, limit.signal)]);
      limit.abort();
    }
    this.#line.release();
    return this.#record.result();
  }

  #askOpening(): void {
    const { settings, texts } = this.#options;
    if (settings.first_speaker === 'callee') return;
    const isStatic = settings.first_message_mode === 'static' && texts.opening !== null;
    const hint = texts.opening === null ? HINTS.opening : HINTS.openingLike(texts.opening);
    this.#voice.ask({ purpose: 'opening', text: isStatic ? texts.opening : null }, hint);
  }

  #followCallee(heard: Heard): void {
    const isPlayed = this.#voice.playing && !holdsAnswers(this.#phase);
    this.#over.follow(heard, isPlayed);
    if (isPlayed && !this.#wasPlaying) {
      this.#repliesToMs = this.#agentSpokeLast() ? null : this.#over.lastSpeechMs;
      this.#bargeInMs = null;
    }
    this.#wasPlaying = isPlayed;
    if (this.#over.speechOverMs >= WANTS_TO_GO_ON_MS) this.#spokenOver = true;
    const { ended } = heard;
    if (ended === undefined) return;
    this.#record.calleeSpoke(ended);
    this.#calleeSpoke = true;
    this.#quietSinceMs = heard.nowMs;
    this.#noInputs = 0;
    if (this.#providerTurn) this.#owe(ended.endMs);
    this.#providerTurn = false;
  }

  /** The callee has said something, and waits for an answer unless it has begun. */
  #owe(sinceMs: number): void {
    if (this.#phase.name !== 'talking' || this.#answerBeganMs >= sinceMs) return;
    this.#owedSinceMs = sinceMs;
    this.#waitBridged = false;
    this.#askedAgain = false;
  }

  #move(heard: Heard): Move {
    return moveOn(this.#phase, {
      heard,
      answeredBy: this.#record.answeredBy,
      firstWordMs: this.#voice.firstWordMs,
      settings: this.#options.settings,
      playing: this.#voice.playing,
      paused: this.#paused,
      speechOverMs: this.#over.speechOverMs,
      calleeSilentMs: this.#over.calleeSilentMs,
      providerHeard: this.#over.providerHeard,
      wordsOver: this.#over.wordsOver,
      quietSinceMs: this.#quietSinceMs,
      owedSinceMs: this.#owedSinceMs,
      toolsRunning: this.#toolsRunning > 0 || this.#presses.busy,
      waitBridged: this.#waitBridged || this.#voice.builtInState() !== 'idle',
      settled: this.#settled,
      mayCancelEnd: !this.#endCancelled,
    });
  }

  #carryOut(move: Move, heard: Heard): void {
    switch (move.kind) {
      case 'stay':
        return;
      case 'enter':
        if (move.phase.name === 'awaiting_beep' && this.#phase.name === 'talking') this.#breakOff();
        this.#phase = move.phase;
        return;
      case 'proceed':
        return this.#onProceed(heard);
      case 'prompt_over':
        return this.#onPromptOver(move.promptMs);
      case 'replied':
        if (this.#record.answeredBy === undefined) this.#record.decide('human');
        this.#settled = true;
        return;
      case 'pause':
        this.#paused = { sinceMs: heard.nowMs };
        this.#bargeInMs = heard.nowMs - this.#over.beganMs;
        return this.#voice.pause();
      case 'resume':
        this.#paused = null;
        this.#over.reset();
        return this.#voice.resume();
      case 'cut':
        return this.#onCut();
      case 'bridge_wait':
        return this.#bridgeWait();
      case 'overdue':
        return this.#fail('realtime', 'no_answer_in_time', 'provider_unavailable');
      case 'no_input':
        return this.#onNoInput(heard.nowMs);
      case 'leave_message':
        return this.#leaveMessage();
      case 'line_missing':
        return this.#afterLine(this.#phase.name === 'saying' ? this.#phase.line : 'closing');
      case 'say_failure':
        this.#phase = { name: 'saying', line: 'failure', sinceMs: heard.nowMs };
        return this.#voice.sayBuiltIn(this.#options.failureLine);
      case 'hang_up':
        return this.#hangUp(move.reason);
      default:
        return unreachable(move);
    }
  }

  #onProceed(heard: Heard): void {
    const undecided = this.#phase.name === 'greeted' && this.#record.answeredBy === undefined;
    if (undecided) this.#record.decide(heard.ended === undefined ? 'unknown' : 'human');
    const passedOn = this.#phase.name === 'awaiting_pass_on' && heard.ended !== undefined;
    if (passedOn) this.#record.decide('human');
    this.#openGate();
  }

  /** A prompt without a beep: a menu gets the model, a screening service the reply, any other callee the conversation. */
  #onPromptOver(promptMs: number): void {
    const { settings, texts } = this.#options;
    const isLong = isLongPrompt(promptMs);
    if (isLong && settings.tools.some(({ type }) => type === 'press_digits')) {
      this.#record.decide('ivr');
      this.#breakOff();
      return this.#openGate({ answersAtOnce: true });
    }
    if (texts.screening !== null && this.#record.answeredBy !== 'screening') {
      this.#record.decide('screening');
      return this.#sayLine('screening', texts.screening);
    }
    if (isLong && this.#record.answeredBy === undefined) this.#record.decideUnknown(promptMs);
    this.#openGate();
  }

  /** From now on the mind answers by itself, and what waited is played. */
  #openGate({ answersAtOnce = false } = {}): void {
    const nowMs = this.#detector.nowMs();
    const isFirst = !this.#gateOpen;
    this.#gateOpen = true;
    this.#phase = { name: 'talking' };
    this.#quietSinceMs = nowMs;
    if (isFirst) this.#line.send({ kind: 'open_gate' });
    const waits = this.#options.settings.first_speaker === 'agent' && isFirst && !answersAtOnce;
    if (waits) this.#owedSinceMs = this.#voice.playing ? null : nowMs;
    else if (this.#calleeSpoke) this.#respond(null);
  }

  #respond(hint: string | null): void {
    this.#owedSinceMs = this.#detector.nowMs();
    this.#waitBridged = false;
    this.#voice.ask({ purpose: 'answer', text: null }, hint);
  }

  #onCut(): void {
    this.#breakOff();
    if (this.#phase.name === 'ending') {
      this.#endCancelled = true;
      this.#phase = { name: 'talking' };
    }
  }

  #bridgeWait(): void {
    const { waitingLines } = this.#options;
    const line = waitingLines[this.#bridges % Math.max(1, waitingLines.length)];
    this.#bridges += 1;
    this.#waitBridged = true;
    if (line !== undefined) this.#voice.sayBuiltIn(line, { isBridge: true });
  }

  #onNoInput(nowMs: number): void {
    const { settings, texts } = this.#options;
    if (this.#noInputs >= settings.no_input.times) return this.#hangUp('silence_timeout');
    this.#noInputs += 1;
    this.#owedSinceMs = nowMs;
    this.#waitBridged = true;
    this.#voice.ask({ purpose: 'no_input', text: texts.noInput }, HINTS.noInput);
  }

  #beepMeansVoicemail(): boolean {
    if (this.#phase.name === 'awaiting_tone') return false;
    return !this.#settled && this.#record.answeredBy !== 'voicemail' && awaitsBeep(this.#phase);
  }

  #onBeep(): void {
    this.#cutCallee();
    this.#record.decide('voicemail');
    if (this.#options.settings.voicemail.action === 'leave_message') return this.#leaveMessage();
    this.#breakOff();
    this.#hangUp('voicemail_reached');
  }

  #leaveMessage(): void {
    this.#record.decide('voicemail');
    this.#sayLine('voicemail', this.#options.texts.voicemail, HINTS.voicemail);
  }

  /** Says a text to its end; what the mind was about to say is dropped. */
  #sayLine(line: Exclude<FixedLine, 'failure'>, text: string | null, hint: string | null = null): void {
    this.#breakOff();
    this.#spokenOver = false;
    this.#phase = { name: 'saying', line, sinceMs: this.#detector.nowMs() };
    this.#voice.ask({ purpose: line, text }, hint);
  }

  #afterItem(spoken: Spoken, heard: Heard): void {
    this.#measure(spoken);
    this.#quietSinceMs = heard.nowMs;
    const { purpose } = spoken;
    switch (purpose) {
      case 'voicemail':
        this.#record.leftMessage();
        return this.#afterLine(purpose);
      case 'screening':
      case 'closing':
        return this.#afterLine(purpose);
      case 'answer':
        this.#turns += 1;
        return this.#afterAnswer(spoken.words);
      case 'opening':
      case 'no_input':
        // A callee who stays for the whole message is not a screening service.
        if (this.#record.answeredBy === 'screening') this.#record.decide('human');
        return;
      default:
        return unreachable(purpose);
    }
  }

  #afterLine(line: FixedLine): void {
    const sinceMs = this.#detector.nowMs();
    switch (line) {
      case 'screening':
        this.#phase = { name: 'awaiting_pass_on', sinceMs };
        return;
      case 'voicemail':
        this.#phase = { name: 'parting', sinceMs, reason: 'voicemail_reached' };
        return;
      case 'closing':
        if (this.#spokenOver && !this.#endCancelled) {
          this.#endCancelled = true;
          this.#phase = { name: 'talking' };
          return;
        }
        this.#phase = { name: 'parting', sinceMs, reason: 'agent_hangup' };
        return;
      case 'failure':
        this.#phase = { name: 'parting', sinceMs, reason: this.#failedWith ?? 'provider_unavailable' };
        return;
      default:
        return unreachable(line);
    }
  }

  #afterAnswer(words: string): void {
    if (this.#phase.name !== 'talking') return;
    const { settings } = this.#options;
    if (settings.end_call.phrases.some((phrase) => holdsPhrase(words, phrase))) {
      this.#phase = { name: 'ending' };
    } else if (settings.max_turns !== undefined && this.#turns >= settings.max_turns) {
      this.#close({ alwaysSays: true });
    }
  }

  /** The last words, then the end. Without `alwaysSays`, what the model has just said will do. */
  #close({ alwaysSays }: { readonly alwaysSays: boolean }): void {
    const { closing } = this.#options.texts;
    const hasSpoken = this.#voice.playing || this.#agentSpokeLast();
    if (closing !== null && (alwaysSays || !hasSpoken)) this.#sayLine('closing', closing);
    else this.#phase = { name: 'ending' };
  }

  #followBuiltIn(): void {
    const isFailureLine = this.#phase.name === 'saying' && this.#phase.line === 'failure';
    if (isFailureLine && this.#voice.builtInState() !== 'speaking') this.#afterLine('failure');
  }

  #followKeys(nowMs: number): void {
    const heard = this.#heardKeys.take(nowMs);
    if (heard !== null && this.#phase.name === 'talking') {
      this.#breakOff();
      this.#owedSinceMs = nowMs;
      this.#waitBridged = false;
      this.#line.send({ kind: 'digits', digits: heard });
    }
    for (const step of this.#presses.follow(nowMs)) {
      if (step.kind === 'press') this.#record.agentPressed(step.keys);
      else this.#line.send({ kind: 'act_done', id: step.id, output: 'pressed', answer: true });
    }
  }

  #onMind(event: FromMind): void {
    switch (event.kind) {
      case 'ready':
        return;
      case 'sound':
        return this.#onSound(event);
      case 'words':
        if (!this.#isOver) this.#voice.words(event.item, event.text, this.#gateOpen);
        return;
      case 'item_over':
        return this.#voice.itemOver(event.item);
      case 'callee_speaking':
        this.#providerTurn = true;
        return this.#over.providerHears();
      case 'callee_said':
        return this.#onSaid(event);
      case 'answer_over':
        return this.#onAnswerOver(event.empty);
      case 'act':
        return this.#onAct(event.id, event.act);
      case 'tool_started':
        this.#toolsRunning += 1;
        this.#owedSinceMs ??= this.#detector.nowMs();
        return;
      case 'tool_called': {
        const { answers, ...called } = event;
        this.#toolsRunning = Math.max(0, this.#toolsRunning - 1);
        if (this.#toolsRunning === 0) this.#owedSinceMs = answers ? this.#detector.nowMs() : null;
        return this.#emit(called);
      }
      case 'usage':
        return this.#emit(event);
      case 'recovered':
        this.#emit({ kind: 'provider_failed', component: event.component, failure: event.failure });
        return this.#emit({ kind: 'provider_recovered', component: event.component, afterMs: event.afterMs });
      case 'failed':
        return this.#fail(event.component, event.failure, event.reason);
      case 'closed':
        return this.#closed?.();
      default:
        return unreachable(event);
    }
  }

  #onSound({ item, ulaw }: Extract<FromMind, { kind: 'sound' }>): void {
    if (this.#isOver || !this.#voice.sound(item, ulaw, this.#gateOpen)) return;
    this.#answerBeganMs = this.#detector.nowMs();
    this.#owedSinceMs = null;
  }

  #onSaid({ text, startMs, endMs }: Extract<FromMind, { kind: 'callee_said' }>): void {
    this.#over.understood(text, endMs);
    if (text === null) return;
    this.#record.calleeSaid({ text, startMs, endMs });
    if (!this.#isOver && this.#owedSinceMs === null && !this.#voice.playing) this.#owe(endMs);
  }

  #onAnswerOver(empty: boolean): void {
    // A chain of models says a text as it is; a speech-to-speech model may say another.
    if (this.#options.settings.driver === 'realtime' && !this.#isOver && this.#voice.askOpeningAgain()) return;
    if (this.#toolsRunning > 0 || this.#isOver) return;
    const isOwed = this.#owedSinceMs !== null;
    this.#owedSinceMs = null;
    this.#quietSinceMs = this.#detector.nowMs();
    if (!empty || !isOwed || this.#phase.name !== 'talking' || this.#askedAgain) return;
    this.#respond(HINTS.again);
    this.#askedAgain = true;
  }

  #onAct(id: string, act: Act): void {
    const done = (output: string) => this.#line.send({ kind: 'act_done', id, output, answer: false });
    const mayAct = this.#phase.name === 'talking';
    switch (act.kind) {
      case 'end_call':
        done(mayAct ? 'the call ends' : 'not possible now');
        if (mayAct) this.#close({ alwaysSays: false });
        return;
      case 'press_digits':
        if (mayAct) return this.#presses.start(id, act.digits, this.#detector.nowMs());
        return done('not possible now');
      case 'leave_voicemail':
        done(mayAct ? 'the message is left after the beep' : 'not possible now');
        if (!mayAct) return;
        this.#breakOff();
        this.#record.decide('voicemail');
        this.#phase = { name: 'awaiting_tone', sinceMs: this.#detector.nowMs() };
        return;
      default:
        return unreachable(act);
    }
  }

  /** Before anybody answered the call ends at once; afterwards it ends with what was said and the failure message. */
  #fail(component: 'realtime' | 'stt' | 'llm' | 'tts', failure: string, reason: ProviderHangUp): void {
    this.#closed?.();
    if (this.#isOver || this.#failedWith !== null || this.#phase.name === 'over') return;
    this.#failedWith = reason;
    this.#emit({ kind: 'provider_failed', component, failure });
    if (this.#detector.nowMs() === 0) return this.#hangUp(reason);
    if (this.#phase.name === 'parting') return;
    this.#paused = null;
    this.#voice.resume();
    this.#voice.allOver();
    if (holdsAnswers(this.#phase)) this.#breakOff();
    this.#phase = { name: 'failing' };
  }

  /** Drops what was not played. */
  #breakOff(): void {
    this.#paused = null;
    this.#owedSinceMs = null;
    this.#quietSinceMs = this.#detector.nowMs();
    const cut = this.#voice.cut();
    if (cut === null) return;
    if (cut.purpose === 'answer') this.#turns += 1;
    this.#measure(cut);
  }

  #agentSpokeLast(): boolean {
    return this.#agentEndMs >= (this.#over.lastSpeechMs ?? 0);
  }

  #measure({ startMs, endMs }: Spoken): void {
    this.#agentEndMs = endMs;
    const v2vMs = this.#repliesToMs === null ? null : Math.max(0, startMs - this.#repliesToMs);
    this.#repliesToMs = null;
    this.#emit({ kind: 'turn_metrics', v2vMs, bargeInMs: this.#bargeInMs });
    this.#bargeInMs = null;
  }

  #cutCallee(): void {
    const turn = this.#detector.cut();
    if (turn !== undefined) this.#record.calleeSpoke(turn);
  }

  #hangUp(reason: AgentHangUp): void {
    if (this.#phase.name === 'over') return;
    this.#phase = { name: 'over' };
    this.#emit({ kind: 'hang_up', reason });
  }

  #emit(event: VoiceAgentEvent): void {
    if (this.#listeners.length === 0) this.#unheard.push(event);
    for (const listener of this.#listeners) listener(event);
  }
}
