// Generated from openapi.json by `npm run docs:reference`. Do not edit.
export interface paths {
    "/api/v1/outbound/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List calls
         * @description The calls of the account, newest first, in pages. A page ends after `limit` calls or 1 MB, whichever comes first, and has at least one call: continue while `has_more`. Calls created in between do not affect later pages.
         *
         *     Scope: `outbound`.
         */
        get: operations["listCalls"];
        put?: never;
        /**
         * Place a call
         * @description Accepts a call. From then on it ends with a reason, is dialed at most once and charged exactly once. Unknown fields are rejected, so that a typo cannot place a different call.
         *
         *     A call with `scheduled_for` is `scheduled` until its time has come; with `on_capacity: queue` also while every slot is taken. Until then it reserves neither funds nor a slot. Agent, numbers and rate are checked now, and again when its time has come, and a call that may no longer be dialed then ends as `not_permitted`. Funds and capacity are checked now for a call that is to be dialed now, and for a later one when its time has come: if they do not suffice, it waits for them until `expires_at`.
         *
         *     With `retry`, an end for one of the named reasons is followed by another call, which is `scheduled` and names this one in `retry_of`.
         *
         *     Scope: `outbound`.
         */
        post: operations["createCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/outbound/calls/{call_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a call
         * @description The current state of the call. After it has ended, only its note and its recording change.
         *
         *     Scope: `outbound`.
         */
        get: operations["getCall"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Set the review note of a call
         * @description Sets or removes the review note, in any state of the call.
         *
         *     Scope: `outbound`.
         */
        patch: operations["updateCall"];
        trace?: never;
    };
    "/api/v1/outbound/calls/{call_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a call
         * @description Ends a call in any state. Before it is dialed, scheduled or queued, the call ends as `cancelled`; later the service hangs up and it ends as `hung_up_by_api`. No retry follows. A retry that is already scheduled is another call: end it by its own id (`next_call_id`).
         *
         *     Scope: `outbound`.
         */
        post: operations["endCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/outbound/calls/{call_id}/instructions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Instruct the model of a live call
         * @description Whispers to the model that conducts an answered call: it follows the text from its next answer on, and the callee hears nothing of it. The answer comes once the worker of the call has taken the instruction. The transcript has it, with the role `supervisor`. A call takes 10 instructions a minute and 50 in all, an account 30 a minute: more is `rate_limited`. Repeating the request instructs the model again.
         *
         *     Scope: `manage`.
         */
        post: operations["instructCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/outbound/calls/{call_id}/opt-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pass on that the callee opted out
         * @description Puts the callee of a call in any status on the do-not-call list of the account, as an `opt_out`, which only the operator of the service lifts. The timeline gets the event `opted_out`, once. A call that rings or talks goes on: end it with `/end`. Repeating the request changes nothing.
         *
         *     Scope: `outbound`.
         */
        post: operations["optOutCall"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/outbound/calls/{call_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read or follow a call’s timeline
         * @description The timeline as a list, or with `Accept: text/event-stream` as server-sent events: past events, then each event as it happens, in order and once. Until the call has ended, the stream also has an event `turn` for each turn that was spoken (a LiveTurn as JSON: the fields of a turn of the transcript, its `index`, and in `replaces` the indexes of earlier turns whose place it takes). The stream ends after `ended`, or, while an analysis of the call is pending, after `analyzed`; at the latest two minutes after `ended`. `recording_available` may follow `ended` too: read the list for it. A comment every 15 seconds keeps it alive.
         *
         *     Scope: `outbound`.
         */
        get: operations["listCallEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/calls/{call_id}/recording": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a recording
         * @description Stereo WAV, 8 kHz, 16 bits: the callee on the left, the agent on the right. HEAD returns its size.
         *
         *     Scope: `outbound`.
         */
        get: operations["getRecording"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List campaigns
         * @description The campaigns of the account with their progress, newest first, in pages.
         *
         *     Scope: `outbound`.
         */
        get: operations["listCampaigns"];
        put?: never;
        /**
         * Create a campaign
         * @description Creates a draft. Add contacts, then start it. Nothing is dialed before its start.
         *
         *     Scope: `outbound`.
         */
        post: operations["createCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a campaign
         * @description The settings of a campaign and its progress, as of one moment.
         *
         *     Scope: `outbound`.
         */
        get: operations["getCampaign"];
        put?: never;
        post?: never;
        /**
         * Delete a campaign
         * @description Deletes a draft, or a campaign that is cancelled or completed, with its contacts and its uploads. Its calls stay, with their costs and their `campaign_id`; those that are open go on. A campaign that runs, waits or is paused is to be cancelled first.
         *
         *     Scope: `outbound`.
         */
        delete: operations["deleteCampaign"];
        options?: never;
        head?: never;
        /**
         * Change a campaign
         * @description Changes what the body names. Name, pace, concurrency, weight, window, end and budget may be changed until the campaign is over, the rest in `draft` and `paused`. Calls that are scheduled already keep the agent, the number and the retries that they have. A bound that is lowered counts from the next turn of the account, usually within a second. With `agent_id` a paused campaign takes the current version of the agent.
         *
         *     Scope: `outbound`.
         */
        patch: operations["updateCampaign"];
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a campaign
         * @description Starts a draft that has contacts, or has it wait for `starts_at`. Its calls are conducted by the agent’s version of this moment. At most 20 campaigns of an account run at once.
         *
         *     Scope: `outbound`.
         */
        post: operations["startCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a campaign
         * @description Within a second no more of its calls are dialed. Calls that ring or talk go on. A queued call ends as `cancelled`, and its contact has another call, which waits for `resume`.
         *
         *     Scope: `outbound`.
         */
        post: operations["pauseCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a campaign
         * @description A paused campaign goes on where it was.
         *
         *     Scope: `outbound`.
         */
        post: operations["resumeCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a campaign
         * @description Ends a campaign for good: nothing more is dialed, and what is scheduled ends as `cancelled`. Open calls go on, unless `hang_up` is given. It is `cancelling` until nothing is scheduled any more.
         *
         *     Scope: `outbound`.
         */
        post: operations["cancelCampaign"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the contacts of a campaign
         * @description The contacts in the order in which they are called, each with its last call, in pages; with `outcome` only those of which that became.
         *
         *     Scope: `outbound`.
         */
        get: operations["listContacts"];
        put?: never;
        /**
         * Add contacts to a campaign
         * @description Adds up to 500 contacts as JSON, all or none, or a CSV file of up to 256 MiB and 1000000 lines; also while the campaign runs. A number that the campaign has already is a duplicate and is not added again, so the request may be repeated.
         *
         *     The first line of a file names the columns, and `columns` of the campaign says which is what. Unless it does, the numbers are in `to_number`, `phone`, `phone_number` or `number`, and a column with the name of a variable of the agent is that variable. Commas, semicolons and tabs separate; the text is UTF-8. Lines that are no contact are reported, and the others added. Nothing is called before the whole file has come; when an upload breaks off, nothing of it is added. An account sends one file at a time.
         *
         *     Scope: `outbound`.
         */
        post: operations["addContacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/uploads/{upload}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an upload of contacts
         * @description Where an upload stands, with the first 100 lines that are no contact.
         *
         *     Scope: `outbound`.
         */
        get: operations["getUpload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/uploads/{upload}/errors.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the lines that are no contact
         * @description CSV (RFC 4180, UTF-8 with a byte order mark) with the columns `line`, `column`, `value` and `message`, by line. Digits of a value are masked. At most 100,000 are kept, for 30 days.
         *
         *     Scope: `outbound`.
         */
        get: operations["getUploadErrors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/campaigns/{campaign_id}/results.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the results of a campaign
         * @description CSV (RFC 4180, UTF-8 with a byte order mark): every contact in the order in which they are called, with its attempts, the outcome of its last call, the cost of all of them, its variables, and its metadata as `metadata.<name>`. A variable with the name of another column is `variables.<name>`. Cells that a spreadsheet would compute begin with an apostrophe.
         *
         *     Scope: `outbound`.
         */
        get: operations["getCampaignResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of the do-not-call list
         * @description The entries of the account that are in force, newest first, in pages. Those of the platform are not listed; the check says whether a number is on its list.
         *
         *     Scope: `outbound`.
         */
        get: operations["listSuppressions"];
        put?: never;
        /**
         * Put numbers on the do-not-call list
         * @description Adds up to 500 numbers. No dial to them begins more than a second later; a call that already rings or talks goes on. What is scheduled to them ends as `suppressed`. Repeating the request changes nothing.
         *
         *     Scope: `outbound`.
         */
        post: operations["createSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suppressions/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask whether numbers are on a do-not-call list
         * @description Checks up to 500 numbers against the list of the account and that of the platform. Each call is checked again when it is accepted and when it is dialed.
         *
         *     Scope: `outbound`.
         */
        post: operations["checkSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suppressions/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a file into the do-not-call list
         * @description Adds the numbers of a CSV file of up to 64 MiB, one number a line or in one column, while the file arrives. Lines that are not valid are reported, and the others added. What was added stays when the upload breaks off or an error ends it; repeating an import is safe. An account imports one file at a time.
         *
         *     Scope: `outbound`.
         */
        post: operations["importSuppressions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/suppressions/{suppression_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take a number off the do-not-call list
         * @description Removes an entry of the kind `manual`; the reason is audited, and the entry is kept as history. An `opt_out` stands: the person asked for it, and only the operator of the service lifts it.
         *
         *     Scope: `manage`.
         */
        delete: operations["deleteSuppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List agents
         * @description The agents that the account may use, oldest first: its own, and those that other accounts granted to it. A page may have fewer than `limit` agents: continue while `has_more`.
         *
         *     Scope: `outbound`.
         */
        get: operations["listAgents"];
        put?: never;
        /**
         * Create an agent
         * @description Creates an agent at version 1. The settings are checked completely: texts and placeholders, JSON Schemas, the addresses of tools, and the names of credentials. Each MCP server among the `tools` is asked for its tools, which takes up to 7 seconds. The version keeps what it lists as `listed`.
         *
         *     Scope: `manage`.
         */
        post: operations["createAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an agent
         * @description The agent with its settings. Only the account that owns an agent sees its settings.
         *
         *     Scope: `outbound`.
         */
        get: operations["getAgent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change an agent
         * @description Saves `settings` as a new version. They replace the earlier settings completely. MCP servers are asked for their tools again. Calls that were accepted before keep their version. Send the version that you edited as `base_version`: if it is no longer the current one, nothing changes, and the error `version_conflict` has `details.current_version`.
         *
         *     Scope: `manage`.
         */
        patch: operations["updateAgent"];
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of an agent
         * @description Every saved version of an agent that the account owns, newest first.
         *
         *     Scope: `outbound`.
         */
        get: operations["listAgentVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/versions/{version}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a version of an agent
         * @description One saved version of an agent that the account owns, with its settings. To restore it, save its settings as a new version.
         *
         *     Scope: `outbound`.
         */
        get: operations["getAgentVersion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/models": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List models
         * @description What the account’s agents may use: the models that the operator offers, with prices, and the providers that have a credential.
         *
         *     Scope: `outbound`.
         */
        get: operations["listModels"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try an agent
         * @description Begins a conversation with an agent that the account owns, in text or, in the dashboard, by microphone. Its model answers, and its HTTP tools run; no telephone rings. A try takes at most 5 minutes. An account has 2 at once, and 10 minutes of them in 60 minutes: more is `rate_limited`. The wallet is charged for what the models used, unless the credential is your own.
         *
         *     Scope: `manage`.
         */
        post: operations["createTry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/try/{try_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a try
         * @description Its state and its cost. What was said is not stored.
         *
         *     Scope: `manage`.
         */
        get: operations["getTry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/try/{try_id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say something in a try
         * @description Says a text as the callee. The answer comes with the events. A try takes up to 100 messages.
         *
         *     Scope: `manage`.
         */
        post: operations["sendTryMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/try/{try_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a try
         * @description Hangs up as the callee. Has no effect on a try that has ended.
         *
         *     Scope: `manage`.
         */
        post: operations["endTry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/try/{try_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a try
         * @description Server-sent events: past ones, then each as it happens, in order. `agent_text` has a piece of the agent’s words, `tool_called` a tool with its arguments and result, `act` what the agent would do in a call, `usage` the cost so far. The stream ends after `ended`.
         *
         *     Scope: `manage`.
         */
        get: operations["followTry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List evaluations of an agent
         * @description Those of all its versions, newest first, without their conversations.
         *
         *     Scope: `manage`.
         */
        get: operations["listEvaluations"];
        put?: never;
        /**
         * Evaluate an agent with simulated callees
         * @description Has one version of an agent talk in text with 1 to 20 simulated callees, and judges each conversation by its criteria. No telephone rings, and no tool is called: the agent reads the results that the scenario has. An account has 2 conversations at once, 3 evaluations that are not over, and 400 conversations in a day: more is `rate_limited`. The wallet is charged for what the models of the agent, of the callee and of the judge use, unless the credential is your own.
         *
         *     Scope: `manage`.
         */
        post: operations["createEvaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/evaluations/{evaluation_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an evaluation
         * @description With each conversation: its transcript, its judgment by criterion, and its cost.
         *
         *     Scope: `manage`.
         */
        get: operations["getEvaluation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/evaluations/{evaluation_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel an evaluation
         * @description Conversations that wait do not begin, and those that run end within seconds and are charged what they have used. Has no effect on an evaluation that is over.
         *
         *     Scope: `manage`.
         */
        post: operations["cancelEvaluation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/agents/{agent_id}/scenarios": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the scenarios of an agent
         * @description The scenarios that are saved with the agent, for evaluations of any of its versions.
         *
         *     Scope: `manage`.
         */
        get: operations["getScenarios"];
        /**
         * Save the scenarios of an agent
         * @description Replaces all scenarios that are saved with the agent. An evaluation without `scenarios` uses them as they are when it is requested.
         *
         *     Scope: `manage`.
         */
        put: operations["saveScenarios"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the account
         * @description The wallet and the slots of the account that owns the key.
         *
         *     Scope: `outbound`.
         */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/calling-policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the calling policy
         * @description When, and how often, the account calls: the policy in force, and the operator’s floor, which holds besides. It is not legal advice: whether it suffices for the people you call is for you to judge.
         *
         *     Scope: `outbound`.
         */
        get: operations["getCallingPolicy"];
        /**
         * Replace the calling policy
         * @description Puts the whole policy in force as the next version; earlier versions are kept. What is not given closes nothing. No dial against it begins more than a second later; a call that already rings or talks goes on. Calls that wait for the calling hours or for a cap are looked at again within seconds. The same policy again makes no version.
         *
         *     Scope: `manage`.
         */
        put: operations["updateCallingPolicy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/calling-policy/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of the calling policy
         * @description Every policy that was in force, newest first, in pages. A version never changes.
         *
         *     Scope: `outbound`.
         */
        get: operations["listCallingPolicyVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/calling-policy/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask what the calling policy says of a number
         * @description Whether a call to the number would be let through at a moment, in which time zones the callee may be, and when that changes. It counts no call. Each call is checked again when it is accepted and when it is dialed.
         *
         *     Scope: `outbound`.
         */
        post: operations["checkCallingPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/account/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the ledger
         * @description What changed the balance of the account: top-ups, and charges for calls, analyses and tries, newest first. Entries that are booked in between do not affect later pages.
         *
         *     Scope: `outbound`.
         */
        get: operations["listLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/phone-numbers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List phone numbers
         * @description The numbers of the account, from which its calls may come. The default is first.
         *
         *     Scope: `outbound`.
         */
        get: operations["listPhoneNumbers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description The keys of the account, newest first. The keys themselves are not stored and cannot be read.
         *
         *     Scope: `manage`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Create an API key
         * @description Creates a key, and returns it this once. A key can only give what it has: a scope that it lacks is `scope_missing`.
         *
         *     Scope: `manage`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/api-keys/{key_id}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke an API key
         * @description The key stops working within a second. Repeating the request changes nothing. A key may revoke itself.
         *
         *     Scope: `manage`.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider-credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the provider credentials
         * @description The credentials of the account, oldest first, in pages. Those of the operator are not listed.
         *
         *     Scope: `manage`.
         */
        get: operations["listCredentials"];
        put?: never;
        /**
         * Save a key of a model provider
         * @description The key is sealed, and no response contains it. A `base_url` must be a public address over TLS. The key is not checked here.
         *
         *     Scope: `manage`.
         */
        post: operations["createCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider-credentials/{credential_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a credential
         * @description Deletes the key. Open calls go on; agents that name the credential place no more calls.
         *
         *     Scope: `manage`.
         */
        delete: operations["deleteCredential"];
        options?: never;
        head?: never;
        /**
         * Change the limits of a credential
         * @description Omitted fields stay; null restores the default. Calls that start from then on follow the new limits. Open calls go on.
         *
         *     Scope: `manage`.
         */
        patch: operations["updateCredential"];
        trace?: never;
    };
    "/api/v1/provider-credentials/{credential_id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the key of a credential
         * @description The id, the name and the address stay. Open calls go on with the old key. The last check is forgotten.
         *
         *     Scope: `manage`.
         */
        post: operations["rotateCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/provider-credentials/{credential_id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ask the provider whether a key is valid
         * @description Sends one request without tokens to the provider and waits up to 10 s. `unreachable` says nothing about the key. A check that ended while the key was replaced is returned and not saved.
         *
         *     Scope: `manage`.
         */
        post: operations["checkCredential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the secrets
         * @description The names of the secrets of the account. Nothing shows their values.
         *
         *     Scope: `manage`.
         */
        get: operations["listSecrets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secrets/{secret_name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Save a secret for tools
         * @description Creates a secret or replaces its value. Headers of HTTP tools name it as `{{secret.NAME}}`. The value is sealed, and no response contains it.
         *
         *     Scope: `manage`.
         */
        put: operations["setSecret"];
        post?: never;
        /**
         * Delete a secret
         * @description Tools that name it fail from then on.
         *
         *     Scope: `manage`.
         */
        delete: operations["deleteSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description All endpoints of the account, oldest first, without their secrets.
         *
         *     Scope: `manage`.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create a webhook endpoint
         * @description From then on, what happens to the calls of the account is sent to this URL. The response has the secret that signs the requests: no other response contains it. An account has at most 20 endpoints.
         *
         *     Scope: `manage`.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpoint_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a webhook endpoint
         * @description The endpoint, and whether its receiver answers.
         *
         *     Scope: `manage`.
         */
        get: operations["getWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook endpoint
         * @description Drops what is pending, and deletes the secret.
         *
         *     Scope: `manage`.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Change a webhook endpoint
         * @description Omitted fields stay. Disabling drops what is pending; enabling begins with the events from then on. What was missed is sent by a replay.
         *
         *     Scope: `manage`.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpoint_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replace the secret of an endpoint
         * @description While the old secret overlaps, each request has two signatures, so that the receiver may have either secret.
         *
         *     Scope: `manage`.
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpoint_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test message
         * @description Sends an example, whatever types the endpoint receives. Read the message to see how its delivery went.
         *
         *     Scope: `manage`.
         */
        post: operations["testWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpoint_id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deliveries of an endpoint
         * @description What was sent to an endpoint, or will be, newest first. Deliveries are kept for 14 days by default.
         *
         *     Scope: `manage`.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-messages/{message_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a message with its attempts
         * @description The body, and for each endpoint every attempt with its response.
         *
         *     Scope: `manage`.
         */
        get: operations["getWebhookMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-messages/{message_id}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a message once more
         * @description Sends the message to the endpoint before all that is due there, also if it was delivered before. Its `webhook-id` and its body stay the same. Order does not apply. A delivery has at most 100 attempts before a resend is rejected.
         *
         *     Scope: `manage`.
         */
        post: operations["resendWebhookMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpoint_id}/replays": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send the events of a time again
         * @description Sends events of the calls of a time, at most 30 days back, also those from before the endpoint was made. The endpoint gets only the types that it receives. A message that was made before keeps its `webhook-id`; one with 100 attempts is left out. An endpoint has one replay at a time. Events of the last minute may follow a minute later.
         *
         *     Scope: `manage`.
         */
        post: operations["createWebhookReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpoint_id}/replays/{replay_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a replay
         * @description How far it has got.
         *
         *     Scope: `manage`.
         */
        get: operations["getWebhookReplay"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/{endpoint_id}/replays/{replay_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a replay
         * @description What it has made pending is still sent. A replay that is over stays as it is.
         *
         *     Scope: `manage`.
         */
        post: operations["cancelWebhookReplay"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-endpoints/per-call/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read when the secret for URLs of calls was made
         * @description The secret that signs what is sent to the `webhook_url` of calls. The response does not contain it.
         *
         *     Scope: `manage`.
         */
        get: operations["getPerCallWebhookSecret"];
        put?: never;
        /**
         * Make or replace the secret for URLs of calls
         * @description Make it before the first call with a `webhook_url`. While the old secret overlaps, each request has two signatures, so that the receivers may have either secret.
         *
         *     Scope: `manage`.
         */
        post: operations["makePerCallWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-listeners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a listener for local development
         * @description From then on, what happens to the calls of the account waits for this listener. A program reads it as a stream and forwards it to a receiver that the service cannot reach, as `outdial listen` does. A listener ends two minutes after its last stream, and what waits for it is dropped. An account has at most 5 at once: more is `rate_limited`.
         *
         *     Scope: `manage`.
         */
        post: operations["createWebhookListener"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-listeners/{listener_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End a listener
         * @description Ends its streams, and drops what waits for it. Its deliveries stay in the log for an hour.
         *
         *     Scope: `manage`.
         */
        delete: operations["deleteWebhookListener"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-listeners/{listener_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a listener
         * @description Server-sent events: each event `webhook` is a signed request to forward (a ListenerWebhook as JSON), with the headers and the bytes that an endpoint gets. Report its result within 30 seconds, or it is sent again, with the next `attempt`. Each goes to one stream. Of one call, an event follows once the one before it has a result; at most ten wait for their results. A stream that breaks loses nothing: open it again within two minutes. A comment every 15 seconds keeps it alive.
         *
         *     Scope: `manage`.
         */
        get: operations["streamWebhookListener"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/webhook-listeners/{listener_id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report what a receiver answered
         * @description Logs the attempt and ends the delivery: `delivered` for 2xx, `failed` for anything else. It is not repeated by itself; resend the message with the id of the listener as `endpoint_id`. To report the same attempt twice changes nothing.
         *
         *     Scope: `manage`.
         */
        post: operations["reportWebhookResult"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read this document */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check whether the process runs */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Check whether calls can be created */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "call.scheduled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call was scheduled: it is dialed later
         * @description Signed as Standard Webhooks asks. `data.call` is never older than `data.event`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "call.scheduled",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "event": {
                     *           "id": "4711",
                     *           "at": "2026-11-20T14:26:00.000Z",
                     *           "type": "scheduled",
                     *           "data": {
                     *             "scheduled_for": "2026-11-20T15:26:00.000Z"
                     *           }
                     *         },
                     *         "call": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "owner_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_version": 1,
                     *           "caller_number": "+12025550101",
                     *           "callee_number": "+12025550100",
                     *           "direction": "outbound",
                     *           "status": "scheduled",
                     *           "started_at": null,
                     *           "answered_at": null,
                     *           "ended_at": null,
                     *           "duration_seconds": null,
                     *           "billable_seconds": 0,
                     *           "answered_by": null,
                     *           "transcript": null,
                     *           "summary": null,
                     *           "analysis_status": "none",
                     *           "analysis": null,
                     *           "latency": null,
                     *           "review_note": null,
                     *           "recording_url": "/api/v1/calls/00000000-0000-4000-8000-000000000001/recording",
                     *           "recording_status": "pending",
                     *           "cost": 0,
                     *           "currency": "USD",
                     *           "cost_breakdown": {
                     *             "reserved": 0,
                     *             "items": [],
                     *             "total": 0
                     *           },
                     *           "usage": [],
                     *           "ended_reason": null,
                     *           "failure": null,
                     *           "sip_code": null,
                     *           "sip": null,
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {
                     *             "order": 7
                     *           },
                     *           "limits": {
                     *             "max_duration_seconds": 3600,
                     *             "ring_timeout_seconds": 60
                     *           },
                     *           "webhook_url": null,
                     *           "created_at": "2026-11-20T14:26:00.000Z",
                     *           "scheduled_for": "2026-11-20T15:26:00.000Z",
                     *           "expires_at": "2026-11-21T15:26:00.000Z",
                     *           "waiting_for": "time",
                     *           "attempt": 1,
                     *           "retry_of": null,
                     *           "next_call_id": null,
                     *           "campaign_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.queued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call was queued: it is dialed next
         * @description Signed as Standard Webhooks asks. `data.call` is never older than `data.event`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "call.queued",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "event": {
                     *           "id": "4711",
                     *           "at": "2026-11-20T14:26:00.000Z",
                     *           "type": "queued",
                     *           "data": {}
                     *         },
                     *         "call": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "owner_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_version": 1,
                     *           "caller_number": "+12025550101",
                     *           "callee_number": "+12025550100",
                     *           "direction": "outbound",
                     *           "status": "queued",
                     *           "started_at": null,
                     *           "answered_at": null,
                     *           "ended_at": null,
                     *           "duration_seconds": null,
                     *           "billable_seconds": 0,
                     *           "answered_by": null,
                     *           "transcript": null,
                     *           "summary": null,
                     *           "analysis_status": "none",
                     *           "analysis": null,
                     *           "latency": null,
                     *           "review_note": null,
                     *           "recording_url": "/api/v1/calls/00000000-0000-4000-8000-000000000001/recording",
                     *           "recording_status": "pending",
                     *           "cost": 0,
                     *           "currency": "USD",
                     *           "cost_breakdown": {
                     *             "reserved": 0.0245,
                     *             "items": [],
                     *             "total": 0
                     *           },
                     *           "usage": [],
                     *           "ended_reason": null,
                     *           "failure": null,
                     *           "sip_code": null,
                     *           "sip": null,
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {
                     *             "order": 7
                     *           },
                     *           "limits": {
                     *             "max_duration_seconds": 3600,
                     *             "ring_timeout_seconds": 60
                     *           },
                     *           "webhook_url": null,
                     *           "created_at": "2026-11-20T14:26:00.000Z",
                     *           "scheduled_for": null,
                     *           "expires_at": null,
                     *           "waiting_for": null,
                     *           "attempt": 1,
                     *           "retry_of": null,
                     *           "next_call_id": null,
                     *           "campaign_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.dialing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call is being dialed
         * @description Signed as Standard Webhooks asks. `data.call` is never older than `data.event`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "call.dialing",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "event": {
                     *           "id": "4711",
                     *           "at": "2026-11-20T14:26:00.000Z",
                     *           "type": "dialing",
                     *           "data": {}
                     *         },
                     *         "call": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "owner_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_version": 1,
                     *           "caller_number": "+12025550101",
                     *           "callee_number": "+12025550100",
                     *           "direction": "outbound",
                     *           "status": "dialing",
                     *           "started_at": "2026-11-20T14:25:12.000Z",
                     *           "answered_at": null,
                     *           "ended_at": null,
                     *           "duration_seconds": null,
                     *           "billable_seconds": 0,
                     *           "answered_by": null,
                     *           "transcript": null,
                     *           "summary": null,
                     *           "analysis_status": "none",
                     *           "analysis": null,
                     *           "latency": null,
                     *           "review_note": null,
                     *           "recording_url": "/api/v1/calls/00000000-0000-4000-8000-000000000001/recording",
                     *           "recording_status": "pending",
                     *           "cost": 0,
                     *           "currency": "USD",
                     *           "cost_breakdown": {
                     *             "reserved": 0.0245,
                     *             "items": [],
                     *             "total": 0
                     *           },
                     *           "usage": [],
                     *           "ended_reason": null,
                     *           "failure": null,
                     *           "sip_code": null,
                     *           "sip": null,
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {
                     *             "order": 7
                     *           },
                     *           "limits": {
                     *             "max_duration_seconds": 3600,
                     *             "ring_timeout_seconds": 60
                     *           },
                     *           "webhook_url": null,
                     *           "created_at": "2026-11-20T14:25:11.600Z",
                     *           "scheduled_for": null,
                     *           "expires_at": null,
                     *           "waiting_for": null,
                     *           "attempt": 1,
                     *           "retry_of": null,
                     *           "next_call_id": null,
                     *           "campaign_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.ringing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The telephone rings
         * @description Signed as Standard Webhooks asks. `data.call` is never older than `data.event`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "call.ringing",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "event": {
                     *           "id": "4711",
                     *           "at": "2026-11-20T14:26:00.000Z",
                     *           "type": "ringing",
                     *           "data": {}
                     *         },
                     *         "call": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "owner_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_version": 1,
                     *           "caller_number": "+12025550101",
                     *           "callee_number": "+12025550100",
                     *           "direction": "outbound",
                     *           "status": "ringing",
                     *           "started_at": "2026-11-20T14:25:12.000Z",
                     *           "answered_at": null,
                     *           "ended_at": null,
                     *           "duration_seconds": null,
                     *           "billable_seconds": 0,
                     *           "answered_by": null,
                     *           "transcript": null,
                     *           "summary": null,
                     *           "analysis_status": "none",
                     *           "analysis": null,
                     *           "latency": null,
                     *           "review_note": null,
                     *           "recording_url": "/api/v1/calls/00000000-0000-4000-8000-000000000001/recording",
                     *           "recording_status": "pending",
                     *           "cost": 0,
                     *           "currency": "USD",
                     *           "cost_breakdown": {
                     *             "reserved": 0.0245,
                     *             "items": [],
                     *             "total": 0
                     *           },
                     *           "usage": [],
                     *           "ended_reason": null,
                     *           "failure": null,
                     *           "sip_code": null,
                     *           "sip": null,
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {
                     *             "order": 7
                     *           },
                     *           "limits": {
                     *             "max_duration_seconds": 3600,
                     *             "ring_timeout_seconds": 60
                     *           },
                     *           "webhook_url": null,
                     *           "created_at": "2026-11-20T14:25:11.600Z",
                     *           "scheduled_for": null,
                     *           "expires_at": null,
                     *           "waiting_for": null,
                     *           "attempt": 1,
                     *           "retry_of": null,
                     *           "next_call_id": null,
                     *           "campaign_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.answered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The callee picked up
         * @description Signed as Standard Webhooks asks. `data.call` is never older than `data.event`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "call.answered",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "event": {
                     *           "id": "4711",
                     *           "at": "2026-11-20T14:26:00.000Z",
                     *           "type": "in_progress",
                     *           "data": {}
                     *         },
                     *         "call": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "owner_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_version": 1,
                     *           "caller_number": "+12025550101",
                     *           "callee_number": "+12025550100",
                     *           "direction": "outbound",
                     *           "status": "in_progress",
                     *           "started_at": "2026-11-20T14:25:12.000Z",
                     *           "answered_at": "2026-11-20T14:25:18.000Z",
                     *           "ended_at": null,
                     *           "duration_seconds": null,
                     *           "billable_seconds": 0,
                     *           "answered_by": "human",
                     *           "transcript": null,
                     *           "summary": null,
                     *           "analysis_status": "none",
                     *           "analysis": null,
                     *           "latency": null,
                     *           "review_note": null,
                     *           "recording_url": "/api/v1/calls/00000000-0000-4000-8000-000000000001/recording",
                     *           "recording_status": "pending",
                     *           "cost": 0,
                     *           "currency": "USD",
                     *           "cost_breakdown": {
                     *             "reserved": 0.0245,
                     *             "items": [],
                     *             "total": 0
                     *           },
                     *           "usage": [],
                     *           "ended_reason": null,
                     *           "failure": null,
                     *           "sip_code": 200,
                     *           "sip": null,
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {
                     *             "order": 7
                     *           },
                     *           "limits": {
                     *             "max_duration_seconds": 3600,
                     *             "ring_timeout_seconds": 60
                     *           },
                     *           "webhook_url": null,
                     *           "created_at": "2026-11-20T14:25:11.600Z",
                     *           "scheduled_for": null,
                     *           "expires_at": null,
                     *           "waiting_for": null,
                     *           "attempt": 1,
                     *           "retry_of": null,
                     *           "next_call_id": null,
                     *           "campaign_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.answered_by": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * What picked up is known
         * @description Signed as Standard Webhooks asks. `data.call` is never older than `data.event`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "call.answered_by",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "event": {
                     *           "id": "4711",
                     *           "at": "2026-11-20T14:26:00.000Z",
                     *           "type": "answered_by",
                     *           "data": {
                     *             "answered_by": "human"
                     *           }
                     *         },
                     *         "call": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "owner_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_version": 1,
                     *           "caller_number": "+12025550101",
                     *           "callee_number": "+12025550100",
                     *           "direction": "outbound",
                     *           "status": "in_progress",
                     *           "started_at": "2026-11-20T14:25:12.000Z",
                     *           "answered_at": "2026-11-20T14:25:18.000Z",
                     *           "ended_at": null,
                     *           "duration_seconds": null,
                     *           "billable_seconds": 0,
                     *           "answered_by": "human",
                     *           "transcript": null,
                     *           "summary": null,
                     *           "analysis_status": "none",
                     *           "analysis": null,
                     *           "latency": null,
                     *           "review_note": null,
                     *           "recording_url": "/api/v1/calls/00000000-0000-4000-8000-000000000001/recording",
                     *           "recording_status": "pending",
                     *           "cost": 0,
                     *           "currency": "USD",
                     *           "cost_breakdown": {
                     *             "reserved": 0.0245,
                     *             "items": [],
                     *             "total": 0
                     *           },
                     *           "usage": [],
                     *           "ended_reason": null,
                     *           "failure": null,
                     *           "sip_code": 200,
                     *           "sip": null,
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {
                     *             "order": 7
                     *           },
                     *           "limits": {
                     *             "max_duration_seconds": 3600,
                     *             "ring_timeout_seconds": 60
                     *           },
                     *           "webhook_url": null,
                     *           "created_at": "2026-11-20T14:25:11.600Z",
                     *           "scheduled_for": null,
                     *           "expires_at": null,
                     *           "waiting_for": null,
                     *           "attempt": 1,
                     *           "retry_of": null,
                     *           "next_call_id": null,
                     *           "campaign_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.opted_out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The callee wants no more calls: the number is on the do-not-call list
         * @description Signed as Standard Webhooks asks. `data.call` is never older than `data.event`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "call.opted_out",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "event": {
                     *           "id": "4711",
                     *           "at": "2026-11-20T14:26:00.000Z",
                     *           "type": "opted_out",
                     *           "data": {
                     *             "evidence": "key"
                     *           }
                     *         },
                     *         "call": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "owner_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_version": 1,
                     *           "caller_number": "+12025550101",
                     *           "callee_number": "+12025550100",
                     *           "direction": "outbound",
                     *           "status": "in_progress",
                     *           "started_at": "2026-11-20T14:25:12.000Z",
                     *           "answered_at": "2026-11-20T14:25:18.000Z",
                     *           "ended_at": null,
                     *           "duration_seconds": null,
                     *           "billable_seconds": 0,
                     *           "answered_by": "human",
                     *           "transcript": null,
                     *           "summary": null,
                     *           "analysis_status": "none",
                     *           "analysis": null,
                     *           "latency": null,
                     *           "review_note": null,
                     *           "recording_url": "/api/v1/calls/00000000-0000-4000-8000-000000000001/recording",
                     *           "recording_status": "pending",
                     *           "cost": 0,
                     *           "currency": "USD",
                     *           "cost_breakdown": {
                     *             "reserved": 0.0245,
                     *             "items": [],
                     *             "total": 0
                     *           },
                     *           "usage": [],
                     *           "ended_reason": null,
                     *           "failure": null,
                     *           "sip_code": 200,
                     *           "sip": null,
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {
                     *             "order": 7
                     *           },
                     *           "limits": {
                     *             "max_duration_seconds": 3600,
                     *             "ring_timeout_seconds": 60
                     *           },
                     *           "webhook_url": null,
                     *           "created_at": "2026-11-20T14:25:11.600Z",
                     *           "scheduled_for": null,
                     *           "expires_at": null,
                     *           "waiting_for": null,
                     *           "attempt": 1,
                     *           "retry_of": null,
                     *           "next_call_id": null,
                     *           "campaign_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.ended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A call ended, dialed or not
         * @description Signed as Standard Webhooks asks. `data.call` is never older than `data.event`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "call.ended",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "event": {
                     *           "id": "4711",
                     *           "at": "2026-11-20T14:26:00.000Z",
                     *           "type": "ended",
                     *           "data": {
                     *             "ended_reason": "agent_hangup"
                     *           }
                     *         },
                     *         "call": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "owner_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_version": 1,
                     *           "caller_number": "+12025550101",
                     *           "callee_number": "+12025550100",
                     *           "direction": "outbound",
                     *           "status": "ended",
                     *           "started_at": "2026-11-20T14:25:12.000Z",
                     *           "answered_at": "2026-11-20T14:25:18.000Z",
                     *           "ended_at": "2026-11-20T14:26:00.000Z",
                     *           "duration_seconds": 48,
                     *           "billable_seconds": 42,
                     *           "answered_by": "human",
                     *           "transcript": [
                     *             {
                     *               "role": "agent",
                     *               "text": "Hello Ada, your appointment is tomorrow at ten.",
                     *               "start_ms": 200,
                     *               "end_ms": 3400,
                     *               "source": "script",
                     *               "interrupted": false
                     *             },
                     *             {
                     *               "role": "callee",
                     *               "text": "Thank you, goodbye.",
                     *               "start_ms": 4100,
                     *               "end_ms": 5600,
                     *               "source": "stt",
                     *               "interrupted": false
                     *             }
                     *           ],
                     *           "summary": "The callee was reminded of an appointment.",
                     *           "analysis_status": "none",
                     *           "analysis": null,
                     *           "latency": null,
                     *           "review_note": null,
                     *           "recording_url": "/api/v1/calls/00000000-0000-4000-8000-000000000001/recording",
                     *           "recording_status": "available",
                     *           "cost": 0.0089,
                     *           "currency": "USD",
                     *           "cost_breakdown": {
                     *             "reserved": 0.0245,
                     *             "items": [
                     *               {
                     *                 "product": "connection",
                     *                 "unit_price": 0.0005,
                     *                 "quantity": 1,
                     *                 "cost": 0.0005
                     *               },
                     *               {
                     *                 "product": "talk_time",
                     *                 "unit_price": 0.012,
                     *                 "quantity": 0.7,
                     *                 "cost": 0.0084
                     *               }
                     *             ],
                     *             "total": 0.0089
                     *           },
                     *           "usage": [],
                     *           "ended_reason": "agent_hangup",
                     *           "failure": null,
                     *           "sip_code": 200,
                     *           "sip": null,
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {
                     *             "order": 7
                     *           },
                     *           "limits": {
                     *             "max_duration_seconds": 3600,
                     *             "ring_timeout_seconds": 60
                     *           },
                     *           "webhook_url": null,
                     *           "created_at": "2026-11-20T14:25:11.600Z",
                     *           "scheduled_for": null,
                     *           "expires_at": null,
                     *           "waiting_for": null,
                     *           "attempt": 1,
                     *           "retry_of": null,
                     *           "next_call_id": null,
                     *           "campaign_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.recording_ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The recording of a call can be read
         * @description Signed as Standard Webhooks asks. `data.call` is never older than `data.event`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "call.recording_ready",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "event": {
                     *           "id": "4711",
                     *           "at": "2026-11-20T14:26:00.000Z",
                     *           "type": "recording_available",
                     *           "data": {}
                     *         },
                     *         "call": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "owner_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_version": 1,
                     *           "caller_number": "+12025550101",
                     *           "callee_number": "+12025550100",
                     *           "direction": "outbound",
                     *           "status": "ended",
                     *           "started_at": "2026-11-20T14:25:12.000Z",
                     *           "answered_at": "2026-11-20T14:25:18.000Z",
                     *           "ended_at": "2026-11-20T14:26:00.000Z",
                     *           "duration_seconds": 48,
                     *           "billable_seconds": 42,
                     *           "answered_by": "human",
                     *           "transcript": [
                     *             {
                     *               "role": "agent",
                     *               "text": "Hello Ada, your appointment is tomorrow at ten.",
                     *               "start_ms": 200,
                     *               "end_ms": 3400,
                     *               "source": "script",
                     *               "interrupted": false
                     *             },
                     *             {
                     *               "role": "callee",
                     *               "text": "Thank you, goodbye.",
                     *               "start_ms": 4100,
                     *               "end_ms": 5600,
                     *               "source": "stt",
                     *               "interrupted": false
                     *             }
                     *           ],
                     *           "summary": "The callee was reminded of an appointment.",
                     *           "analysis_status": "none",
                     *           "analysis": null,
                     *           "latency": null,
                     *           "review_note": null,
                     *           "recording_url": "/api/v1/calls/00000000-0000-4000-8000-000000000001/recording",
                     *           "recording_status": "available",
                     *           "cost": 0.0089,
                     *           "currency": "USD",
                     *           "cost_breakdown": {
                     *             "reserved": 0.0245,
                     *             "items": [
                     *               {
                     *                 "product": "connection",
                     *                 "unit_price": 0.0005,
                     *                 "quantity": 1,
                     *                 "cost": 0.0005
                     *               },
                     *               {
                     *                 "product": "talk_time",
                     *                 "unit_price": 0.012,
                     *                 "quantity": 0.7,
                     *                 "cost": 0.0084
                     *               }
                     *             ],
                     *             "total": 0.0089
                     *           },
                     *           "usage": [],
                     *           "ended_reason": "agent_hangup",
                     *           "failure": null,
                     *           "sip_code": 200,
                     *           "sip": null,
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {
                     *             "order": 7
                     *           },
                     *           "limits": {
                     *             "max_duration_seconds": 3600,
                     *             "ring_timeout_seconds": 60
                     *           },
                     *           "webhook_url": null,
                     *           "created_at": "2026-11-20T14:25:11.600Z",
                     *           "scheduled_for": null,
                     *           "expires_at": null,
                     *           "waiting_for": null,
                     *           "attempt": 1,
                     *           "retry_of": null,
                     *           "next_call_id": null,
                     *           "campaign_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "call.analyzed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * The analysis of a call is over
         * @description Signed as Standard Webhooks asks. `data.call` is never older than `data.event`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "call.analyzed",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "event": {
                     *           "id": "4711",
                     *           "at": "2026-11-20T14:26:00.000Z",
                     *           "type": "analyzed",
                     *           "data": {}
                     *         },
                     *         "call": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "owner_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "agent_version": 1,
                     *           "caller_number": "+12025550101",
                     *           "callee_number": "+12025550100",
                     *           "direction": "outbound",
                     *           "status": "ended",
                     *           "started_at": "2026-11-20T14:25:12.000Z",
                     *           "answered_at": "2026-11-20T14:25:18.000Z",
                     *           "ended_at": "2026-11-20T14:26:00.000Z",
                     *           "duration_seconds": 48,
                     *           "billable_seconds": 42,
                     *           "answered_by": "human",
                     *           "transcript": [
                     *             {
                     *               "role": "agent",
                     *               "text": "Hello Ada, your appointment is tomorrow at ten.",
                     *               "start_ms": 200,
                     *               "end_ms": 3400,
                     *               "source": "script",
                     *               "interrupted": false
                     *             },
                     *             {
                     *               "role": "callee",
                     *               "text": "Thank you, goodbye.",
                     *               "start_ms": 4100,
                     *               "end_ms": 5600,
                     *               "source": "stt",
                     *               "interrupted": false
                     *             }
                     *           ],
                     *           "summary": "The callee was reminded of an appointment.",
                     *           "analysis_status": "none",
                     *           "analysis": null,
                     *           "latency": null,
                     *           "review_note": null,
                     *           "recording_url": "/api/v1/calls/00000000-0000-4000-8000-000000000001/recording",
                     *           "recording_status": "available",
                     *           "cost": 0.0089,
                     *           "currency": "USD",
                     *           "cost_breakdown": {
                     *             "reserved": 0.0245,
                     *             "items": [
                     *               {
                     *                 "product": "connection",
                     *                 "unit_price": 0.0005,
                     *                 "quantity": 1,
                     *                 "cost": 0.0005
                     *               },
                     *               {
                     *                 "product": "talk_time",
                     *                 "unit_price": 0.012,
                     *                 "quantity": 0.7,
                     *                 "cost": 0.0084
                     *               }
                     *             ],
                     *             "total": 0.0089
                     *           },
                     *           "usage": [],
                     *           "ended_reason": "agent_hangup",
                     *           "failure": null,
                     *           "sip_code": 200,
                     *           "sip": null,
                     *           "variables": {
                     *             "name": "Ada"
                     *           },
                     *           "metadata": {
                     *             "order": 7
                     *           },
                     *           "limits": {
                     *             "max_duration_seconds": 3600,
                     *             "ring_timeout_seconds": 60
                     *           },
                     *           "webhook_url": null,
                     *           "created_at": "2026-11-20T14:25:11.600Z",
                     *           "scheduled_for": null,
                     *           "expires_at": null,
                     *           "waiting_for": null,
                     *           "attempt": 1,
                     *           "retry_of": null,
                     *           "next_call_id": null,
                     *           "campaign_id": null
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CallWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.started": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign began to call
         * @description Signed as Standard Webhooks asks. `data.campaign` is never older than `timestamp`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "campaign.started",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "campaign": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "state": "running",
                     *           "name": "Autumn reminders",
                     *           "calls_per_second": 2,
                     *           "max_concurrent": 20,
                     *           "weight": 10,
                     *           "window": null,
                     *           "ends_at": null,
                     *           "budget": 50,
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "from_number": "+12025550199",
                     *           "columns": {},
                     *           "default_country": "US",
                     *           "retry": {
                     *             "max_attempts": 3,
                     *             "on": [
                     *               "busy",
                     *               "no_answer"
                     *             ],
                     *             "after_seconds": [
                     *               900,
                     *               3600
                     *             ]
                     *           },
                     *           "max_duration_seconds": 300,
                     *           "ring_timeout_seconds": 30,
                     *           "webhook_url": null,
                     *           "starts_at": null,
                     *           "metadata": {},
                     *           "agent_version": 3,
                     *           "created_by": "user:kim",
                     *           "created_at": "2026-11-20T12:26:00.000Z",
                     *           "started_at": "2026-11-20T14:26:00.000Z",
                     *           "ended_at": null,
                     *           "progress": {
                     *             "contacts": 200,
                     *             "remaining": 200,
                     *             "waiting": 0,
                     *             "open": 0,
                     *             "done": 0,
                     *             "not_dialled": 0,
                     *             "by_reason": {},
                     *             "answered": 0,
                     *             "answer_rate": null,
                     *             "cost": 0,
                     *             "spent_percent": 0,
                     *             "calls_last_minute": 0,
                     *             "held_by": null,
                     *             "estimated_finish_at": null
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.paused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign was paused: by a person, or because its budget is used up
         * @description Signed as Standard Webhooks asks. `data.campaign` is never older than `timestamp`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "campaign.paused",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "campaign": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "state": "paused",
                     *           "name": "Autumn reminders",
                     *           "calls_per_second": 2,
                     *           "max_concurrent": 20,
                     *           "weight": 10,
                     *           "window": null,
                     *           "ends_at": null,
                     *           "budget": 50,
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "from_number": "+12025550199",
                     *           "columns": {},
                     *           "default_country": "US",
                     *           "retry": {
                     *             "max_attempts": 3,
                     *             "on": [
                     *               "busy",
                     *               "no_answer"
                     *             ],
                     *             "after_seconds": [
                     *               900,
                     *               3600
                     *             ]
                     *           },
                     *           "max_duration_seconds": 300,
                     *           "ring_timeout_seconds": 30,
                     *           "webhook_url": null,
                     *           "starts_at": null,
                     *           "metadata": {},
                     *           "agent_version": 3,
                     *           "created_by": "user:kim",
                     *           "created_at": "2026-11-20T12:26:00.000Z",
                     *           "started_at": "2026-11-20T13:26:00.000Z",
                     *           "ended_at": null,
                     *           "progress": {
                     *             "contacts": 200,
                     *             "remaining": 80,
                     *             "waiting": 0,
                     *             "open": 0,
                     *             "done": 120,
                     *             "not_dialled": 0,
                     *             "by_reason": {
                     *               "busy": 30,
                     *               "agent_hangup": 90
                     *             },
                     *             "answered": 90,
                     *             "answer_rate": 0.75,
                     *             "cost": 1.89,
                     *             "spent_percent": 3.78,
                     *             "calls_last_minute": 0,
                     *             "held_by": null,
                     *             "estimated_finish_at": null
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.resumed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A paused campaign goes on
         * @description Signed as Standard Webhooks asks. `data.campaign` is never older than `timestamp`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "campaign.resumed",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "campaign": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "state": "running",
                     *           "name": "Autumn reminders",
                     *           "calls_per_second": 2,
                     *           "max_concurrent": 20,
                     *           "weight": 10,
                     *           "window": null,
                     *           "ends_at": null,
                     *           "budget": 50,
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "from_number": "+12025550199",
                     *           "columns": {},
                     *           "default_country": "US",
                     *           "retry": {
                     *             "max_attempts": 3,
                     *             "on": [
                     *               "busy",
                     *               "no_answer"
                     *             ],
                     *             "after_seconds": [
                     *               900,
                     *               3600
                     *             ]
                     *           },
                     *           "max_duration_seconds": 300,
                     *           "ring_timeout_seconds": 30,
                     *           "webhook_url": null,
                     *           "starts_at": null,
                     *           "metadata": {},
                     *           "agent_version": 3,
                     *           "created_by": "user:kim",
                     *           "created_at": "2026-11-20T12:26:00.000Z",
                     *           "started_at": "2026-11-20T13:26:00.000Z",
                     *           "ended_at": null,
                     *           "progress": {
                     *             "contacts": 200,
                     *             "remaining": 80,
                     *             "waiting": 0,
                     *             "open": 0,
                     *             "done": 120,
                     *             "not_dialled": 0,
                     *             "by_reason": {
                     *               "busy": 30,
                     *               "agent_hangup": 90
                     *             },
                     *             "answered": 90,
                     *             "answer_rate": 0.75,
                     *             "cost": 1.89,
                     *             "spent_percent": 3.78,
                     *             "calls_last_minute": 0,
                     *             "held_by": null,
                     *             "estimated_finish_at": null
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign is completed: nothing of it is left to call
         * @description Signed as Standard Webhooks asks. `data.campaign` is never older than `timestamp`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "campaign.completed",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "campaign": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "state": "completed",
                     *           "name": "Autumn reminders",
                     *           "calls_per_second": 2,
                     *           "max_concurrent": 20,
                     *           "weight": 10,
                     *           "window": null,
                     *           "ends_at": null,
                     *           "budget": 50,
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "from_number": "+12025550199",
                     *           "columns": {},
                     *           "default_country": "US",
                     *           "retry": {
                     *             "max_attempts": 3,
                     *             "on": [
                     *               "busy",
                     *               "no_answer"
                     *             ],
                     *             "after_seconds": [
                     *               900,
                     *               3600
                     *             ]
                     *           },
                     *           "max_duration_seconds": 300,
                     *           "ring_timeout_seconds": 30,
                     *           "webhook_url": null,
                     *           "starts_at": null,
                     *           "metadata": {},
                     *           "agent_version": 3,
                     *           "created_by": "user:kim",
                     *           "created_at": "2026-11-20T12:26:00.000Z",
                     *           "started_at": "2026-11-20T13:26:00.000Z",
                     *           "ended_at": "2026-11-20T14:26:00.000Z",
                     *           "progress": {
                     *             "contacts": 200,
                     *             "remaining": 0,
                     *             "waiting": 0,
                     *             "open": 0,
                     *             "done": 200,
                     *             "not_dialled": 0,
                     *             "by_reason": {
                     *               "busy": 50,
                     *               "agent_hangup": 150
                     *             },
                     *             "answered": 150,
                     *             "answer_rate": 0.75,
                     *             "cost": 3.15,
                     *             "spent_percent": 6.3,
                     *             "calls_last_minute": 0,
                     *             "held_by": null,
                     *             "estimated_finish_at": null
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "campaign.cancelled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A campaign was cancelled, and nothing of it is scheduled any more
         * @description Signed as Standard Webhooks asks. `data.campaign` is never older than `timestamp`, and may be newer.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "campaign.cancelled",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "campaign": {
                     *           "id": "00000000-0000-4000-8000-000000000001",
                     *           "state": "cancelled",
                     *           "name": "Autumn reminders",
                     *           "calls_per_second": 2,
                     *           "max_concurrent": 20,
                     *           "weight": 10,
                     *           "window": null,
                     *           "ends_at": null,
                     *           "budget": 50,
                     *           "agent_id": "00000000-0000-4000-8000-000000000001",
                     *           "from_number": "+12025550199",
                     *           "columns": {},
                     *           "default_country": "US",
                     *           "retry": {
                     *             "max_attempts": 3,
                     *             "on": [
                     *               "busy",
                     *               "no_answer"
                     *             ],
                     *             "after_seconds": [
                     *               900,
                     *               3600
                     *             ]
                     *           },
                     *           "max_duration_seconds": 300,
                     *           "ring_timeout_seconds": 30,
                     *           "webhook_url": null,
                     *           "starts_at": null,
                     *           "metadata": {},
                     *           "agent_version": 3,
                     *           "created_by": "user:kim",
                     *           "created_at": "2026-11-20T12:26:00.000Z",
                     *           "started_at": "2026-11-20T13:26:00.000Z",
                     *           "ended_at": "2026-11-20T14:26:00.000Z",
                     *           "progress": {
                     *             "contacts": 200,
                     *             "remaining": 0,
                     *             "waiting": 0,
                     *             "open": 0,
                     *             "done": 120,
                     *             "not_dialled": 80,
                     *             "by_reason": {
                     *               "busy": 30,
                     *               "agent_hangup": 90
                     *             },
                     *             "answered": 90,
                     *             "answer_rate": 0.75,
                     *             "cost": 1.89,
                     *             "spent_percent": 3.78,
                     *             "calls_last_minute": 0,
                     *             "held_by": null,
                     *             "estimated_finish_at": null
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["CampaignWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.endpoint_disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Another endpoint of the account was disabled
         * @description Signed as Standard Webhooks asks.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "webhook.endpoint_disabled",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "data": {
                     *         "endpoint": {
                     *           "id": "01991f3e-51a0-7c3e-9d4f-6a7b8c9d0e1f",
                     *           "url": "https://customer.example/hooks",
                     *           "disabled_reason": "failing",
                     *           "disabled_at": "2026-11-20T14:26:00.000Z"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["EndpointDisabledWebhook"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A test message
         * @description Signed as Standard Webhooks asks.
         */
        post: {
            parameters: {
                query?: never;
                header: {
                    /** @description Identifies the message: the same for every attempt. Ignore a message that you have handled. */
                    "webhook-id": string;
                    /** @description When this attempt was made, in seconds since 1970. Part of what is signed. */
                    "webhook-timestamp": string;
                    /** @description `v1,` and the signature in base64; two of them, with a space between, while a secret rotates. */
                    "webhook-signature": string;
                    /** @description The version of the body’s shape. */
                    "outdial-version": string;
                };
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    /**
                     * @example {
                     *       "type": "webhook.test",
                     *       "timestamp": "2026-11-20T14:26:00.000Z",
                     *       "test": true,
                     *       "data": {}
                     *     }
                     */
                    "application/json": components["schemas"]["TestWebhookBody"];
                };
            };
            responses: {
                /** @description The endpoint wants no more: it is disabled. */
                410: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description The message was taken. Anything else, also a redirect, is tried again. */
                "2XX": {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        CreateCall: {
            /** @description The number to call. */
            to_number: string;
            /**
             * Format: uuid
             * @description An agent that the account owns or has access to.
             */
            agent_id: string;
            /** @description One of the account’s numbers. If omitted: the account’s default number, else its oldest, else the system’s number if allowed. */
            from_number?: string;
            /** @description Texts for the {{name}} placeholders of the agent’s script, at most 64 of them and 8192 bytes in UTF-8, names and texts together. */
            variables?: {
                [key: string]: string;
            };
            /** @description Your own data, at most 4096 bytes as JSON, returned unchanged. */
            metadata?: {
                [key: string]: unknown;
            };
            /** @description Maximum talk time; default 1800. */
            max_duration_seconds?: number;
            /** @description Maximum ringing time; default 30. */
            ring_timeout_seconds?: number;
            /**
             * Format: date-time
             * @description Not before this time, at most 90 days ahead. The call is `scheduled` until then: it reserves no funds and no slot, which are checked when its time has come.
             */
            scheduled_for?: string;
            /**
             * Format: date-time
             * @description When to give up, after `scheduled_for`. A call that is not being dialed by then ends as `schedule_expired`, or as `queue_expired` if it has a slot already, and no retry begins later. Unless given: 24 hours after `scheduled_for`, 7 days after it with `retry`, and with `on_capacity: queue` alone the time to live of the queue; of a call that is accepted to wait for calling hours, not before 24 hours after they open.
             */
            expires_at?: string;
            /**
             * @description What to do while every slot is taken. `reject`, the default: answer 429. `queue`: the call is `scheduled` and dialed once a slot is free.
             * @enum {string}
             */
            on_capacity?: "reject" | "queue";
            /**
             * @description What to do while the calling policy keeps the callee’s hours closed. `reject`: answer 403. `wait`: the call is `scheduled` and dialed once all are open. `wait` unless given with `scheduled_for`, else `reject`.
             * @enum {string}
             */
            on_closed?: "reject" | "wait";
            /** @description The callee’s time zone (IANA, such as `America/Denver`). It is added to the zones of the number, and all must be open; it is taken alone if the calling policy has `trust_given_zone`, and so has the operator’s floor if there is one. */
            callee_time_zone?: string;
            /** @description Calls again if the call ends for one of these reasons. A retry is another call, with its own id and cost; it names this one in `retry_of`. */
            retry?: {
                /** @description How many calls there may be in all, the first one included. */
                max_attempts: number;
                /** @description The ended reasons that are followed by a retry; `busy`, `no_answer` and `carrier_unavailable` unless given. After `worker_lost` and `reconciled_unknown` the callee’s telephone may have rung already. */
                on?: ("silence_timeout" | "voicemail_reached" | "call_screened" | "busy" | "no_answer" | "carrier_unavailable" | "queue_expired" | "outside_calling_window" | "frequency_capped" | "agent_error" | "provider_unavailable" | "no_audio" | "worker_lost" | "reconciled_unknown")[];
                /** @description From the end of a call to its retry, by attempt; the last one repeats. 900, 3600, 14400 unless given. */
                after_seconds?: number[];
            };
            /** @description Receives the webhooks of this call, besides the endpoints of the account. They are signed with the secret for URLs of calls. */
            webhook_url?: string;
        };
        UpdateCall: {
            /** @description Null removes it. */
            review_note: string | null;
        };
        NewAgentSettings: components["schemas"]["NewScriptedSettings"] | components["schemas"]["NewRealtimeSettings"] | components["schemas"]["NewCascadeSettings"];
        NewScriptedSettings: {
            /**
             * @default scripted
             * @constant
             */
            driver?: "scripted";
            name: string;
            /**
             * @default slt
             * @enum {string}
             */
            voice?: "slt" | "rms" | "awb" | "kal";
            first_message: string;
            /** @default [] */
            lines?: string[];
            /**
             * @default {
             *       "prompt": "Are you there?",
             *       "after_ms": 4000,
             *       "times": 2
             *     }
             */
            no_input?: {
                prompt: string;
                after_ms: number;
                times: number;
            };
            menu?: {
                [key: string]: string;
            };
            opt_out?: {
                key: string;
                /** @default You will not be called again. Goodbye. */
                confirmation?: string;
            };
            /** @default Goodbye. */
            closing?: string;
            voicemail_message?: string;
            screening_reply?: string;
            /** @default true */
            barge_in?: boolean;
        };
        NewRealtimeSettings: {
            /** @constant */
            driver: "realtime";
            name: string;
            /** @default en-US */
            language?: string;
            /** @default UTC */
            timezone?: string;
            instructions: string;
            /** @default [] */
            knowledge?: {
                title: string;
                text: string;
            }[];
            /**
             * @default agent
             * @enum {string}
             */
            first_speaker?: "agent" | "callee";
            first_message?: string;
            /**
             * @default static
             * @enum {string}
             */
            first_message_mode?: "static" | "generated";
            /** @default {} */
            interruption?: {
                /** @default true */
                enabled?: boolean;
                /** @default 140 */
                min_speech_ms?: number;
                /** @default 0 */
                min_words?: number;
                /** @default [] */
                ignore_phrases?: string[];
                /** @default 400 */
                false_interruption_timeout_ms?: number;
            };
            /** @default {} */
            endpointing?: {
                /**
                 * @default provider
                 * @enum {string}
                 */
                mode?: "provider" | "silence";
                /** @default 500 */
                min_delay_ms?: number;
                /** @default 3000 */
                max_delay_ms?: number;
            };
            /** @default {} */
            no_input?: {
                prompt?: string;
                /** @default 6000 */
                after_ms?: number;
                /** @default 2 */
                times?: number;
            };
            /** @default {} */
            voicemail?: {
                /**
                 * @default hang_up
                 * @enum {string}
                 */
                action?: "hang_up" | "leave_message";
                message?: string;
            };
            screening_reply?: string;
            closing?: string;
            /** @default I am sorry, there is a technical problem. Goodbye. */
            failure_message?: string;
            /** @default {} */
            end_call?: {
                /** @default [] */
                phrases?: string[];
                /** @default true */
                on_model?: boolean;
            };
            /** @default {} */
            opt_out?: {
                key?: string;
                /** @default You will not be called again. Goodbye. */
                confirmation?: string;
                /** @default true */
                on_model?: boolean;
            };
            max_turns?: number;
            max_duration_seconds?: number;
            /** @default {} */
            waiting?: {
                /** @default 1500 */
                after_ms?: number;
                /**
                 * @default [
                 *       "One moment."
                 *     ]
                 */
                phrases?: string[];
            };
            /** @default [] */
            tools?: ({
                /** @constant */
                type: "end_call";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "press_digits";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "leave_voicemail";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "transfer_call";
                name: string;
                description: string;
                /**
                 * @default blind
                 * @enum {string}
                 */
                mode?: "blind" | "warm";
                ring_timeout_seconds?: number;
                destinations: {
                    name: string;
                    to_number: string;
                    description: string;
                    message?: string;
                    introduction?: string;
                }[];
            } | {
                /** @constant */
                type: "http";
                name: string;
                description: string;
                /** Format: uri */
                url: string;
                /** @default {} */
                headers?: {
                    [key: string]: string;
                };
                /** @default 10000 */
                timeout_ms?: number;
                /**
                 * @default {
                 *       "after": "model"
                 *     }
                 */
                speak?: {
                    while_running?: string;
                    /**
                     * @default model
                     * @enum {string}
                     */
                    after?: "model" | "nothing";
                };
                /**
                 * @default POST
                 * @enum {string}
                 */
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /**
                 * @default {
                 *       "type": "object",
                 *       "properties": {}
                 *     }
                 */
                parameters?: {
                    [key: string]: unknown;
                };
                /**
                 * @default body
                 * @enum {string}
                 */
                send?: "body" | "query";
                /** @default false */
                idempotent?: boolean;
            } | {
                /** @constant */
                type: "mcp";
                name: string;
                /** Format: uri */
                url: string;
                /** @default {} */
                headers?: {
                    [key: string]: string;
                };
                /** @default 10000 */
                timeout_ms?: number;
                allowed_tools?: string[];
                /**
                 * @default {
                 *       "after": "model"
                 *     }
                 */
                speak?: {
                    while_running?: string;
                    /**
                     * @default model
                     * @enum {string}
                     */
                    after?: "model" | "nothing";
                };
                listed?: {
                    protocol_version: string;
                    tools: {
                        name: string;
                        server_name: string;
                        description: string;
                        parameters: {
                            [key: string]: unknown;
                        };
                        idempotent: boolean;
                    }[];
                };
            })[];
            analysis?: {
                summary?: {
                    prompt?: string;
                };
                data?: {
                    /** @constant */
                    type: "object";
                    title?: string;
                    description?: string;
                    properties: {
                        [key: string]: {
                            /** @constant */
                            type: "string";
                            title?: string;
                            description?: string;
                            enum?: string[];
                        } | {
                            /** @enum {string} */
                            type: "number" | "integer";
                            title?: string;
                            description?: string;
                            minimum?: number;
                            maximum?: number;
                        } | {
                            /** @constant */
                            type: "boolean";
                            title?: string;
                            description?: string;
                        } | {
                            /** @constant */
                            type: "array";
                            title?: string;
                            description?: string;
                            items: {
                                /** @constant */
                                type: "string";
                                title?: string;
                                description?: string;
                                enum?: string[];
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                title?: string;
                                description?: string;
                                minimum?: number;
                                maximum?: number;
                            } | {
                                /** @constant */
                                type: "boolean";
                                title?: string;
                                description?: string;
                            };
                        };
                    };
                    required?: string[];
                    /** @constant */
                    additionalProperties?: false;
                };
                success?: {
                    criteria: string;
                    /**
                     * @default boolean
                     * @enum {string}
                     */
                    scale?: "boolean" | "1-10";
                };
                llm: {
                    /** @enum {string} */
                    provider: "openai" | "anthropic" | "google" | "openai_compatible" | "local";
                    model: string;
                    credential?: string;
                    temperature?: number;
                    /** @default 1000 */
                    max_output_tokens?: number;
                };
            };
            model: {
                /** @constant */
                provider: "openai";
                model: string;
                /**
                 * @default marin
                 * @enum {string}
                 */
                voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                credential?: string;
                /** @enum {string} */
                reasoning_effort?: "minimal" | "low" | "medium" | "high";
                /** @default 1024 */
                max_output_tokens?: number;
                /**
                 * @default {
                 *       "type": "server_vad"
                 *     }
                 */
                turn_detection?: {
                    /** @constant */
                    type: "server_vad";
                    /** @default 0.5 */
                    threshold?: number;
                    /** @default 300 */
                    prefix_padding_ms?: number;
                    /** @default 500 */
                    silence_duration_ms?: number;
                } | {
                    /** @constant */
                    type: "semantic_vad";
                    /**
                     * @default auto
                     * @enum {string}
                     */
                    eagerness?: "low" | "medium" | "high" | "auto";
                };
                /** @enum {string} */
                noise_reduction?: "near_field" | "far_field";
                /**
                 * @default {
                 *       "model": "gpt-4o-mini-transcribe",
                 *       "keywords": []
                 *     }
                 */
                transcription?: {
                    model: string;
                    /** @default [] */
                    keywords?: string[];
                } | null;
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "openai";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold?: number;
                        /** @default 300 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness?: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    /**
                     * @default {
                     *       "model": "gpt-4o-mini-transcribe",
                     *       "keywords": []
                     *     }
                     */
                    transcription?: {
                        model: string;
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "openai_live";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                    credential?: string;
                    /** @default {} */
                    delegation?: {
                        /** @default gpt-5-mini */
                        model?: string;
                        /** @enum {string} */
                        reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                        /** @default 2048 */
                        max_output_tokens?: number;
                    };
                } | {
                    /** @constant */
                    provider: "azure";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold?: number;
                        /** @default 300 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness?: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "xai";
                    model: string;
                    /**
                     * @default eve
                     * @enum {string}
                     */
                    voice?: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "high";
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.85 */
                        threshold?: number;
                        /** @default 333 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    };
                    /** @default {} */
                    transcription?: {
                        /**
                         * @default grok-transcribe
                         * @constant
                         */
                        model?: "grok-transcribe";
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "google";
                    model: string;
                    /**
                     * @default Kore
                     * @enum {string}
                     */
                    voice?: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                    credential?: string;
                    /** @default 2048 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        start_sensitivity?: "low" | "high";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        end_sensitivity?: "low" | "high";
                        /** @default 60 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    };
                    /** @default {} */
                    transcription?: {
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                })[];
            } | {
                /** @constant */
                provider: "openai_live";
                model: string;
                /**
                 * @default marin
                 * @enum {string}
                 */
                voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                credential?: string;
                /** @default {} */
                delegation?: {
                    /** @default gpt-5-mini */
                    model?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                    /** @default 2048 */
                    max_output_tokens?: number;
                };
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "openai";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold?: number;
                        /** @default 300 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness?: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    /**
                     * @default {
                     *       "model": "gpt-4o-mini-transcribe",
                     *       "keywords": []
                     *     }
                     */
                    transcription?: {
                        model: string;
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "openai_live";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                    credential?: string;
                    /** @default {} */
                    delegation?: {
                        /** @default gpt-5-mini */
                        model?: string;
                        /** @enum {string} */
                        reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                        /** @default 2048 */
                        max_output_tokens?: number;
                    };
                } | {
                    /** @constant */
                    provider: "azure";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold?: number;
                        /** @default 300 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness?: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "xai";
                    model: string;
                    /**
                     * @default eve
                     * @enum {string}
                     */
                    voice?: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "high";
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.85 */
                        threshold?: number;
                        /** @default 333 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    };
                    /** @default {} */
                    transcription?: {
                        /**
                         * @default grok-transcribe
                         * @constant
                         */
                        model?: "grok-transcribe";
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "google";
                    model: string;
                    /**
                     * @default Kore
                     * @enum {string}
                     */
                    voice?: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                    credential?: string;
                    /** @default 2048 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        start_sensitivity?: "low" | "high";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        end_sensitivity?: "low" | "high";
                        /** @default 60 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    };
                    /** @default {} */
                    transcription?: {
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                })[];
            } | {
                /** @constant */
                provider: "azure";
                model: string;
                /**
                 * @default marin
                 * @enum {string}
                 */
                voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                credential?: string;
                /** @enum {string} */
                reasoning_effort?: "minimal" | "low" | "medium" | "high";
                /** @default 1024 */
                max_output_tokens?: number;
                /**
                 * @default {
                 *       "type": "server_vad"
                 *     }
                 */
                turn_detection?: {
                    /** @constant */
                    type: "server_vad";
                    /** @default 0.5 */
                    threshold?: number;
                    /** @default 300 */
                    prefix_padding_ms?: number;
                    /** @default 500 */
                    silence_duration_ms?: number;
                } | {
                    /** @constant */
                    type: "semantic_vad";
                    /**
                     * @default auto
                     * @enum {string}
                     */
                    eagerness?: "low" | "medium" | "high" | "auto";
                };
                /** @enum {string} */
                noise_reduction?: "near_field" | "far_field";
                transcription: {
                    model: string;
                    /** @default [] */
                    keywords?: string[];
                } | null;
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "openai";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold?: number;
                        /** @default 300 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness?: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    /**
                     * @default {
                     *       "model": "gpt-4o-mini-transcribe",
                     *       "keywords": []
                     *     }
                     */
                    transcription?: {
                        model: string;
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "openai_live";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                    credential?: string;
                    /** @default {} */
                    delegation?: {
                        /** @default gpt-5-mini */
                        model?: string;
                        /** @enum {string} */
                        reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                        /** @default 2048 */
                        max_output_tokens?: number;
                    };
                } | {
                    /** @constant */
                    provider: "azure";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold?: number;
                        /** @default 300 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness?: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "xai";
                    model: string;
                    /**
                     * @default eve
                     * @enum {string}
                     */
                    voice?: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "high";
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.85 */
                        threshold?: number;
                        /** @default 333 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    };
                    /** @default {} */
                    transcription?: {
                        /**
                         * @default grok-transcribe
                         * @constant
                         */
                        model?: "grok-transcribe";
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "google";
                    model: string;
                    /**
                     * @default Kore
                     * @enum {string}
                     */
                    voice?: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                    credential?: string;
                    /** @default 2048 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        start_sensitivity?: "low" | "high";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        end_sensitivity?: "low" | "high";
                        /** @default 60 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    };
                    /** @default {} */
                    transcription?: {
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                })[];
            } | {
                /** @constant */
                provider: "xai";
                model: string;
                /**
                 * @default eve
                 * @enum {string}
                 */
                voice?: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                credential?: string;
                /** @enum {string} */
                reasoning_effort?: "none" | "high";
                /**
                 * @default {
                 *       "type": "server_vad"
                 *     }
                 */
                turn_detection?: {
                    /** @constant */
                    type: "server_vad";
                    /** @default 0.85 */
                    threshold?: number;
                    /** @default 333 */
                    prefix_padding_ms?: number;
                    /** @default 500 */
                    silence_duration_ms?: number;
                };
                /** @default {} */
                transcription?: {
                    /**
                     * @default grok-transcribe
                     * @constant
                     */
                    model?: "grok-transcribe";
                    /** @default [] */
                    keywords?: string[];
                } | null;
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "openai";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold?: number;
                        /** @default 300 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness?: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    /**
                     * @default {
                     *       "model": "gpt-4o-mini-transcribe",
                     *       "keywords": []
                     *     }
                     */
                    transcription?: {
                        model: string;
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "openai_live";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                    credential?: string;
                    /** @default {} */
                    delegation?: {
                        /** @default gpt-5-mini */
                        model?: string;
                        /** @enum {string} */
                        reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                        /** @default 2048 */
                        max_output_tokens?: number;
                    };
                } | {
                    /** @constant */
                    provider: "azure";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold?: number;
                        /** @default 300 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness?: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "xai";
                    model: string;
                    /**
                     * @default eve
                     * @enum {string}
                     */
                    voice?: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "high";
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.85 */
                        threshold?: number;
                        /** @default 333 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    };
                    /** @default {} */
                    transcription?: {
                        /**
                         * @default grok-transcribe
                         * @constant
                         */
                        model?: "grok-transcribe";
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "google";
                    model: string;
                    /**
                     * @default Kore
                     * @enum {string}
                     */
                    voice?: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                    credential?: string;
                    /** @default 2048 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        start_sensitivity?: "low" | "high";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        end_sensitivity?: "low" | "high";
                        /** @default 60 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    };
                    /** @default {} */
                    transcription?: {
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                })[];
            } | {
                /** @constant */
                provider: "google";
                model: string;
                /**
                 * @default Kore
                 * @enum {string}
                 */
                voice?: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                credential?: string;
                /** @default 2048 */
                max_output_tokens?: number;
                /**
                 * @default {
                 *       "type": "server_vad"
                 *     }
                 */
                turn_detection?: {
                    /** @constant */
                    type: "server_vad";
                    /**
                     * @default high
                     * @enum {string}
                     */
                    start_sensitivity?: "low" | "high";
                    /**
                     * @default high
                     * @enum {string}
                     */
                    end_sensitivity?: "low" | "high";
                    /** @default 60 */
                    prefix_padding_ms?: number;
                    /** @default 500 */
                    silence_duration_ms?: number;
                };
                /** @default {} */
                transcription?: {
                    /** @default [] */
                    keywords?: string[];
                } | null;
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "openai";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold?: number;
                        /** @default 300 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness?: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    /**
                     * @default {
                     *       "model": "gpt-4o-mini-transcribe",
                     *       "keywords": []
                     *     }
                     */
                    transcription?: {
                        model: string;
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "openai_live";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                    credential?: string;
                    /** @default {} */
                    delegation?: {
                        /** @default gpt-5-mini */
                        model?: string;
                        /** @enum {string} */
                        reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                        /** @default 2048 */
                        max_output_tokens?: number;
                    };
                } | {
                    /** @constant */
                    provider: "azure";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice?: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold?: number;
                        /** @default 300 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness?: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "xai";
                    model: string;
                    /**
                     * @default eve
                     * @enum {string}
                     */
                    voice?: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "high";
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.85 */
                        threshold?: number;
                        /** @default 333 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    };
                    /** @default {} */
                    transcription?: {
                        /**
                         * @default grok-transcribe
                         * @constant
                         */
                        model?: "grok-transcribe";
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "google";
                    model: string;
                    /**
                     * @default Kore
                     * @enum {string}
                     */
                    voice?: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                    credential?: string;
                    /** @default 2048 */
                    max_output_tokens?: number;
                    /**
                     * @default {
                     *       "type": "server_vad"
                     *     }
                     */
                    turn_detection?: {
                        /** @constant */
                        type: "server_vad";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        start_sensitivity?: "low" | "high";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        end_sensitivity?: "low" | "high";
                        /** @default 60 */
                        prefix_padding_ms?: number;
                        /** @default 500 */
                        silence_duration_ms?: number;
                    };
                    /** @default {} */
                    transcription?: {
                        /** @default [] */
                        keywords?: string[];
                    } | null;
                })[];
            };
        };
        NewCascadeSettings: {
            /** @constant */
            driver: "cascade";
            name: string;
            /** @default en-US */
            language?: string;
            /** @default UTC */
            timezone?: string;
            instructions: string;
            /** @default [] */
            knowledge?: {
                title: string;
                text: string;
            }[];
            /**
             * @default agent
             * @enum {string}
             */
            first_speaker?: "agent" | "callee";
            first_message?: string;
            /**
             * @default static
             * @enum {string}
             */
            first_message_mode?: "static" | "generated";
            /** @default {} */
            interruption?: {
                /** @default true */
                enabled?: boolean;
                /** @default 140 */
                min_speech_ms?: number;
                /** @default 0 */
                min_words?: number;
                /** @default [] */
                ignore_phrases?: string[];
                /** @default 400 */
                false_interruption_timeout_ms?: number;
            };
            /** @default {} */
            endpointing?: {
                /**
                 * @default provider
                 * @enum {string}
                 */
                mode?: "provider" | "silence";
                /** @default 500 */
                min_delay_ms?: number;
                /** @default 3000 */
                max_delay_ms?: number;
            };
            /** @default {} */
            no_input?: {
                prompt?: string;
                /** @default 6000 */
                after_ms?: number;
                /** @default 2 */
                times?: number;
            };
            /** @default {} */
            voicemail?: {
                /**
                 * @default hang_up
                 * @enum {string}
                 */
                action?: "hang_up" | "leave_message";
                message?: string;
            };
            screening_reply?: string;
            closing?: string;
            /** @default I am sorry, there is a technical problem. Goodbye. */
            failure_message?: string;
            /** @default {} */
            end_call?: {
                /** @default [] */
                phrases?: string[];
                /** @default true */
                on_model?: boolean;
            };
            /** @default {} */
            opt_out?: {
                key?: string;
                /** @default You will not be called again. Goodbye. */
                confirmation?: string;
                /** @default true */
                on_model?: boolean;
            };
            max_turns?: number;
            max_duration_seconds?: number;
            /** @default {} */
            waiting?: {
                /** @default 1500 */
                after_ms?: number;
                /**
                 * @default [
                 *       "One moment."
                 *     ]
                 */
                phrases?: string[];
            };
            /** @default [] */
            tools?: ({
                /** @constant */
                type: "end_call";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "press_digits";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "leave_voicemail";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "transfer_call";
                name: string;
                description: string;
                /**
                 * @default blind
                 * @enum {string}
                 */
                mode?: "blind" | "warm";
                ring_timeout_seconds?: number;
                destinations: {
                    name: string;
                    to_number: string;
                    description: string;
                    message?: string;
                    introduction?: string;
                }[];
            } | {
                /** @constant */
                type: "http";
                name: string;
                description: string;
                /** Format: uri */
                url: string;
                /** @default {} */
                headers?: {
                    [key: string]: string;
                };
                /** @default 10000 */
                timeout_ms?: number;
                /**
                 * @default {
                 *       "after": "model"
                 *     }
                 */
                speak?: {
                    while_running?: string;
                    /**
                     * @default model
                     * @enum {string}
                     */
                    after?: "model" | "nothing";
                };
                /**
                 * @default POST
                 * @enum {string}
                 */
                method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /**
                 * @default {
                 *       "type": "object",
                 *       "properties": {}
                 *     }
                 */
                parameters?: {
                    [key: string]: unknown;
                };
                /**
                 * @default body
                 * @enum {string}
                 */
                send?: "body" | "query";
                /** @default false */
                idempotent?: boolean;
            } | {
                /** @constant */
                type: "mcp";
                name: string;
                /** Format: uri */
                url: string;
                /** @default {} */
                headers?: {
                    [key: string]: string;
                };
                /** @default 10000 */
                timeout_ms?: number;
                allowed_tools?: string[];
                /**
                 * @default {
                 *       "after": "model"
                 *     }
                 */
                speak?: {
                    while_running?: string;
                    /**
                     * @default model
                     * @enum {string}
                     */
                    after?: "model" | "nothing";
                };
                listed?: {
                    protocol_version: string;
                    tools: {
                        name: string;
                        server_name: string;
                        description: string;
                        parameters: {
                            [key: string]: unknown;
                        };
                        idempotent: boolean;
                    }[];
                };
            })[];
            analysis?: {
                summary?: {
                    prompt?: string;
                };
                data?: {
                    /** @constant */
                    type: "object";
                    title?: string;
                    description?: string;
                    properties: {
                        [key: string]: {
                            /** @constant */
                            type: "string";
                            title?: string;
                            description?: string;
                            enum?: string[];
                        } | {
                            /** @enum {string} */
                            type: "number" | "integer";
                            title?: string;
                            description?: string;
                            minimum?: number;
                            maximum?: number;
                        } | {
                            /** @constant */
                            type: "boolean";
                            title?: string;
                            description?: string;
                        } | {
                            /** @constant */
                            type: "array";
                            title?: string;
                            description?: string;
                            items: {
                                /** @constant */
                                type: "string";
                                title?: string;
                                description?: string;
                                enum?: string[];
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                title?: string;
                                description?: string;
                                minimum?: number;
                                maximum?: number;
                            } | {
                                /** @constant */
                                type: "boolean";
                                title?: string;
                                description?: string;
                            };
                        };
                    };
                    required?: string[];
                    /** @constant */
                    additionalProperties?: false;
                };
                success?: {
                    criteria: string;
                    /**
                     * @default boolean
                     * @enum {string}
                     */
                    scale?: "boolean" | "1-10";
                };
                llm: {
                    /** @enum {string} */
                    provider: "openai" | "anthropic" | "google" | "openai_compatible" | "local";
                    model: string;
                    credential?: string;
                    temperature?: number;
                    /** @default 1000 */
                    max_output_tokens?: number;
                };
            };
            /**
             * @default {
             *       "provider": "deepgram"
             *     }
             */
            stt?: {
                /** @constant */
                provider: "deepgram";
                /** @default flux-general-en */
                model?: string;
                credential?: string;
                /** @default [] */
                keywords?: string[];
                /** @default {} */
                options?: {
                    eot_threshold?: number;
                    eager_eot_threshold?: number;
                    eot_timeout_ms?: number;
                    endpointing_ms?: number;
                };
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux-general-en */
                    model?: string;
                    credential?: string;
                    /** @default [] */
                    keywords?: string[];
                    /** @default {} */
                    options?: {
                        eot_threshold?: number;
                        eager_eot_threshold?: number;
                        eot_timeout_ms?: number;
                        endpointing_ms?: number;
                    };
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    credential?: string;
                    /** @default [] */
                    keywords?: string[];
                    /** @default {} */
                    options?: {
                        endpointing_ms?: number;
                        eager_endpointing_ms?: number;
                    };
                })[];
            } | {
                /** @constant */
                provider: "local";
                model: string;
                credential?: string;
                /** @default [] */
                keywords?: string[];
                /** @default {} */
                options?: {
                    endpointing_ms?: number;
                    eager_endpointing_ms?: number;
                };
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux-general-en */
                    model?: string;
                    credential?: string;
                    /** @default [] */
                    keywords?: string[];
                    /** @default {} */
                    options?: {
                        eot_threshold?: number;
                        eager_eot_threshold?: number;
                        eot_timeout_ms?: number;
                        endpointing_ms?: number;
                    };
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    credential?: string;
                    /** @default [] */
                    keywords?: string[];
                    /** @default {} */
                    options?: {
                        endpointing_ms?: number;
                        eager_endpointing_ms?: number;
                    };
                })[];
            };
            llm: {
                /** @enum {string} */
                provider: "openai" | "anthropic" | "google" | "openai_compatible" | "local";
                model: string;
                credential?: string;
                temperature?: number;
                /** @default 300 */
                max_output_tokens?: number;
                /** @default [] */
                fallbacks?: {
                    /** @enum {string} */
                    provider: "openai" | "anthropic" | "google" | "openai_compatible" | "local";
                    model: string;
                    credential?: string;
                    temperature?: number;
                    /** @default 300 */
                    max_output_tokens?: number;
                }[];
            };
            tts: {
                /** @constant */
                provider: "elevenlabs";
                /** @default eleven_flash_v2_5 */
                model?: string;
                voice: string;
                credential?: string;
                speed?: number;
                /** @default {} */
                options?: {
                    stability?: number;
                    similarity_boost?: number;
                };
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "elevenlabs";
                    /** @default eleven_flash_v2_5 */
                    model?: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: {
                        stability?: number;
                        similarity_boost?: number;
                    };
                } | {
                    /** @constant */
                    provider: "cartesia";
                    /** @default sonic-3 */
                    model?: string;
                    /** Format: uuid */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux */
                    model?: string;
                    /** @default haley-en */
                    voice?: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: {
                        /**
                         * @default pcm
                         * @enum {string}
                         */
                        format?: "pcm" | "wav";
                        sample_rate?: number;
                    };
                })[];
            } | {
                /** @constant */
                provider: "cartesia";
                /** @default sonic-3 */
                model?: string;
                /** Format: uuid */
                voice: string;
                credential?: string;
                speed?: number;
                /** @default {} */
                options?: Record<string, never>;
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "elevenlabs";
                    /** @default eleven_flash_v2_5 */
                    model?: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: {
                        stability?: number;
                        similarity_boost?: number;
                    };
                } | {
                    /** @constant */
                    provider: "cartesia";
                    /** @default sonic-3 */
                    model?: string;
                    /** Format: uuid */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux */
                    model?: string;
                    /** @default haley-en */
                    voice?: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: {
                        /**
                         * @default pcm
                         * @enum {string}
                         */
                        format?: "pcm" | "wav";
                        sample_rate?: number;
                    };
                })[];
            } | {
                /** @constant */
                provider: "deepgram";
                /** @default flux */
                model?: string;
                /** @default haley-en */
                voice?: string;
                credential?: string;
                speed?: number;
                /** @default {} */
                options?: Record<string, never>;
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "elevenlabs";
                    /** @default eleven_flash_v2_5 */
                    model?: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: {
                        stability?: number;
                        similarity_boost?: number;
                    };
                } | {
                    /** @constant */
                    provider: "cartesia";
                    /** @default sonic-3 */
                    model?: string;
                    /** Format: uuid */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux */
                    model?: string;
                    /** @default haley-en */
                    voice?: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: {
                        /**
                         * @default pcm
                         * @enum {string}
                         */
                        format?: "pcm" | "wav";
                        sample_rate?: number;
                    };
                })[];
            } | {
                /** @constant */
                provider: "local";
                model: string;
                voice: string;
                credential?: string;
                speed?: number;
                /** @default {} */
                options?: {
                    /**
                     * @default pcm
                     * @enum {string}
                     */
                    format?: "pcm" | "wav";
                    sample_rate?: number;
                };
                /** @default [] */
                fallbacks?: ({
                    /** @constant */
                    provider: "elevenlabs";
                    /** @default eleven_flash_v2_5 */
                    model?: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: {
                        stability?: number;
                        similarity_boost?: number;
                    };
                } | {
                    /** @constant */
                    provider: "cartesia";
                    /** @default sonic-3 */
                    model?: string;
                    /** Format: uuid */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux */
                    model?: string;
                    /** @default haley-en */
                    voice?: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    /** @default {} */
                    options?: {
                        /**
                         * @default pcm
                         * @enum {string}
                         */
                        format?: "pcm" | "wav";
                        sample_rate?: number;
                    };
                })[];
            };
        };
        CreateAgent: {
            /** @description How the agent conducts calls. */
            settings: components["schemas"]["NewAgentSettings"];
        };
        UpdateAgent: {
            /** @description The complete new settings. */
            settings: components["schemas"]["NewAgentSettings"];
            /** @description The version that was edited. If it is no longer the current one, nothing changes: `version_conflict`. */
            base_version: number;
        };
        CreateApiKey: {
            /** @description A name, at most 100 characters. */
            name: string;
            /** @description When the key stops working. Null: never. */
            expires_at: string | null;
            /**
             * @description What the key may do; default `outbound`.
             * @default [
             *       "outbound"
             *     ]
             */
            scopes?: ("outbound" | "manage")[];
        };
        CreateCredential: {
            /**
             * @description Whose key it is.
             * @enum {string}
             */
            provider: "openai" | "openai_live" | "deepgram" | "elevenlabs" | "cartesia" | "anthropic" | "google" | "azure" | "xai" | "openai_compatible" | "local";
            /** @description Its name, unique in the account. The settings of an agent name it. */
            name: string;
            /** @description Address of the interface, if not the provider’s own. Required for `openai_compatible`, `local` and `azure`. */
            base_url?: string;
            /** @description The provider’s region, such as `eu`. */
            region?: string;
            /** @description The provider’s key. No response contains it. */
            api_key: string;
            /** @description The most calls at once. Null: 50 for hearing by Deepgram, 100 for xAI, 10 for `local`, else 1,000. */
            max_concurrent_calls?: number | null;
            /** @description The most calls that start in a second. Null: 1,000. */
            starts_per_second?: number | null;
            /** @description The most texts that its voices speak at once, in each worker. Null: no limit. Other models have none. */
            max_generations?: number | null;
        };
        UpdateCredential: {
            /** @description The most calls at once. Null: 50 for hearing by Deepgram, 100 for xAI, 10 for `local`, else 1,000. */
            max_concurrent_calls?: number | null;
            /** @description The most calls that start in a second. Null: 1,000. */
            starts_per_second?: number | null;
            /** @description The most texts that its voices speak at once, in each worker. Null: no limit. Other models have none. */
            max_generations?: number | null;
        };
        RotateCredential: {
            /** @description The new key. New calls use it; open calls go on with the old one. */
            api_key: string;
        };
        SetSecret: {
            /** @description The secret. No response contains it. */
            value: string;
        };
        CreateTry: {
            /** @description The saved version. If omitted: the current one. */
            version?: number;
            /** @description Texts for the {{name}} placeholders of the agent’s script, at most 64 of them and 8192 bytes in UTF-8, names and texts together. */
            variables?: {
                [key: string]: string;
            };
            /**
             * @description How the callee talks. If omitted: `text`. A member talks by `microphone`, in the dashboard alone.
             * @enum {string}
             */
            medium?: "text" | "microphone";
        };
        TryMessage: {
            /** @description What the callee says. */
            text: string;
        };
        InstructCall: {
            /** @description What the model is to do from its next answer on. The callee does not hear it. */
            text: string;
        };
        NewScenario: {
            /** @description Shown in the report. Each scenario has another name. */
            name: string;
            /** @description The simulated callee. */
            persona: {
                /** @constant */
                kind: "scripted";
                /**
                 * @description Said in order, one after each turn of the agent. After the last one the persona hangs up.
                 * @default []
                 */
                lines?: string[];
                /** @default [] */
                rules?: {
                    /** @description Words of the agent, whatever their case and punctuation. */
                    when: string;
                    /** @description What the persona then says instead of its next line. Each rule is used once. */
                    say: string;
                }[];
            } | {
                /** @constant */
                kind: "model";
                /** @description Who the person is, what the person wants, and how the person talks. */
                prompt: string;
                /** @description The model that plays the person. If omitted: the model that judges. */
                llm?: {
                    /** @enum {string} */
                    provider: "openai" | "anthropic" | "google" | "openai_compatible" | "local";
                    model: string;
                    credential?: string;
                    temperature?: number;
                    /** @default 300 */
                    max_output_tokens?: number;
                };
            };
            /** @description Texts for the {{name}} placeholders of the agent’s script, at most 64 of them and 8192 bytes in UTF-8, names and texts together. */
            variables?: {
                [key: string]: string;
            };
            /** @description All must be met. If omitted: the success criteria of the agent’s analysis. */
            criteria?: {
                /** @description What the conversation must show. `{{name}}` stands for a variable. */
                criteria: string;
                /**
                 * @description As in the analysis of a call.
                 * @default boolean
                 * @enum {string}
                 */
                scale?: "boolean" | "1-10";
                /** @description With the scale `1-10`: the lowest grade that passes; default 7. */
                passes_from?: number;
            }[];
            /**
             * @description By the name of an HTTP or MCP tool: what the agent reads as its result. Tools are not called; without a result here, the agent reads that the action was simulated.
             * @default {}
             */
            tool_results?: {
                [key: string]: string;
            };
            /**
             * @description How often the persona speaks at most; default 10.
             * @default 10
             */
            max_turns?: number;
        };
        CreateEvaluation: {
            /** @description The saved version. If omitted: the current one. */
            version?: number;
            /** @description 1 to 20 conversations. If omitted: the scenarios that are saved with the agent. */
            scenarios?: components["schemas"]["NewScenario"][];
            /** @description The model that judges, and that plays the personas without a model. If omitted: that of the agent’s analysis. */
            llm?: {
                /** @enum {string} */
                provider: "openai" | "openai_compatible" | "local";
                model: string;
                credential?: string;
                temperature?: number;
                /** @default 1000 */
                max_output_tokens?: number;
            };
        };
        SaveScenarios: {
            /** @description All scenarios of the agent. An empty list removes them. */
            scenarios: components["schemas"]["NewScenario"][];
        };
        UpdateCallingPolicy: {
            /**
             * @description The built-in rules that it began with, as a note. It changes nothing.
             * @default null
             */
            pack?: ("open" | "standard" | "us") | null;
            /**
             * @description When calls may be dialed, by the callee’s local clock. The row `default` holds everywhere; a row of a country or region (ISO 3166: `GB`, `US-FL`) holds there besides, so that what either closes is closed. Each row has the times of each day, from `00:00` to `24:00`; a day without times is closed. Without rows, every hour is open.
             * @default {}
             */
            windows?: {
                [key: string]: {
                    /** @default [] */
                    mon?: string[];
                    /** @default [] */
                    tue?: string[];
                    /** @default [] */
                    wed?: string[];
                    /** @default [] */
                    thu?: string[];
                    /** @default [] */
                    fri?: string[];
                    /** @default [] */
                    sat?: string[];
                    /** @default [] */
                    sun?: string[];
                };
            };
            /**
             * @description Dates on which no call is dialed, by the callee’s local calendar.
             * @default []
             */
            closed_days?: string[];
            /**
             * @description `callee_time_zone` of a request is taken instead of the zones of the number. Otherwise it is added to them: all must be open.
             * @default false
             */
            trust_given_zone?: boolean;
            /**
             * @description How often one number is called. A call counts when it may be dialed, whatever becomes of it.
             * @default []
             */
            caps?: {
                /** @description The length of the period, which ends with the dial. */
                hours: number;
                /** @description How many calls to one number are dialed in such a period at most. */
                max: number;
            }[];
        };
        CheckCallingPolicy: {
            /** @description The number to ask about. */
            number: string;
            /**
             * Format: date-time
             * @description The moment to ask about, at most a year from now; now unless given.
             */
            at?: string;
            /** @description As in a request for a call. */
            callee_time_zone?: string;
        };
        CreateCampaign: {
            /** @description A name, at most 100 characters. */
            name: string;
            /**
             * Format: uuid
             * @description The agent that conducts its calls, in the version of its start.
             */
            agent_id: string;
            /**
             * @description As in a request for a call; null: the account’s default.
             * @default null
             */
            from_number?: string | null;
            /**
             * @description Which column of a file is what.
             * @default {}
             */
            columns?: {
                /** @description The column of the numbers. */
                to_number?: string;
                /** @description The column of the callees’ time zones. */
                time_zone?: string;
                /** @description The column of each variable of the agent. */
                variables?: {
                    [key: string]: string;
                };
                /** @description The column of each metadata field. */
                metadata?: {
                    [key: string]: string;
                };
            };
            /**
             * @description The country of numbers without a calling code; null: every number begins with a plus sign.
             * @default null
             */
            default_country?: string | null;
            /**
             * @description As in a request for a call; null: each contact is called once.
             * @default null
             */
            retry?: {
                /** @description How many calls there may be in all, the first one included. */
                max_attempts: number;
                /** @description The ended reasons that are followed by a retry; `busy`, `no_answer` and `carrier_unavailable` unless given. After `worker_lost` and `reconciled_unknown` the callee’s telephone may have rung already. */
                on?: ("silence_timeout" | "voicemail_reached" | "call_screened" | "busy" | "no_answer" | "carrier_unavailable" | "queue_expired" | "outside_calling_window" | "frequency_capped" | "agent_error" | "provider_unavailable" | "no_audio" | "worker_lost" | "reconciled_unknown")[];
                /** @description From the end of a call to its retry, by attempt; the last one repeats. 900, 3600, 14400 unless given. */
                after_seconds?: number[];
            } | null;
            /**
             * @description How many calls begin in a second at most; null: as many as there are slots.
             * @default null
             */
            calls_per_second?: number | null;
            /**
             * @description How many of its calls are open at once at most; null: as many as there are slots.
             * @default null
             */
            max_concurrent?: number | null;
            /**
             * @description Its part of the slots, beside other running campaigns.
             * @default 10
             */
            weight?: number;
            /**
             * @description When it calls, besides the calling policy; null: at any time.
             * @default null
             */
            window?: {
                /** @description The time zone of these hours (IANA, such as `America/New_York`). */
                time_zone: string;
                /** @description The hours of each day; a day without any is closed. */
                days: {
                    /** @default [] */
                    mon?: string[];
                    /** @default [] */
                    tue?: string[];
                    /** @default [] */
                    wed?: string[];
                    /** @default [] */
                    thu?: string[];
                    /** @default [] */
                    fri?: string[];
                    /** @default [] */
                    sat?: string[];
                    /** @default [] */
                    sun?: string[];
                };
            } | null;
            /**
             * @description Not before this time, at most 90 days ahead; null: at its start.
             * @default null
             */
            starts_at?: string | null;
            /**
             * @description No call of it is dialed later; at most 365 days ahead. Null: it ends with its last contact.
             * @default null
             */
            ends_at?: string | null;
            /**
             * @description What its calls may cost at most, in the currency of the account; it is paused then. Null: no bound.
             * @default null
             */
            budget?: number | null;
            /**
             * @description As in a request for a call; null: the default.
             * @default null
             */
            max_duration_seconds?: number | null;
            /**
             * @description As in a request for a call; null: the default.
             * @default null
             */
            ring_timeout_seconds?: number | null;
            /**
             * @description As in a request for a call; null: only the account’s endpoints.
             * @default null
             */
            webhook_url?: string | null;
            /**
             * @description Your own data, returned unchanged.
             * @default {}
             */
            metadata?: {
                [key: string]: unknown;
            };
        };
        UpdateCampaign: {
            /** @description A name, at most 100 characters. */
            name?: string;
            /** @description How many calls begin in a second at most; null: as many as there are slots. */
            calls_per_second?: number | null;
            /** @description How many of its calls are open at once at most; null: as many as there are slots. */
            max_concurrent?: number | null;
            /** @description Its part of the slots, beside other running campaigns. */
            weight?: number;
            /** @description When it calls, besides the calling policy; null: at any time. */
            window?: {
                /** @description The time zone of these hours (IANA, such as `America/New_York`). */
                time_zone: string;
                /** @description The hours of each day; a day without any is closed. */
                days: {
                    /** @default [] */
                    mon?: string[];
                    /** @default [] */
                    tue?: string[];
                    /** @default [] */
                    wed?: string[];
                    /** @default [] */
                    thu?: string[];
                    /** @default [] */
                    fri?: string[];
                    /** @default [] */
                    sat?: string[];
                    /** @default [] */
                    sun?: string[];
                };
            } | null;
            /** @description No call of it is dialed later; at most 365 days ahead. Null: it ends with its last contact. */
            ends_at?: string | null;
            /** @description What its calls may cost at most, in the currency of the account; it is paused then. Null: no bound. */
            budget?: number | null;
            /**
             * Format: uuid
             * @description The agent that conducts its calls, in the version of its start.
             */
            agent_id?: string;
            /** @description As in a request for a call; null: the account’s default. */
            from_number?: string | null;
            /** @description Which column of a file is what. */
            columns?: {
                /** @description The column of the numbers. */
                to_number?: string;
                /** @description The column of the callees’ time zones. */
                time_zone?: string;
                /** @description The column of each variable of the agent. */
                variables?: {
                    [key: string]: string;
                };
                /** @description The column of each metadata field. */
                metadata?: {
                    [key: string]: string;
                };
            };
            /** @description The country of numbers without a calling code; null: every number begins with a plus sign. */
            default_country?: string | null;
            /** @description As in a request for a call; null: each contact is called once. */
            retry?: {
                /** @description How many calls there may be in all, the first one included. */
                max_attempts: number;
                /** @description The ended reasons that are followed by a retry; `busy`, `no_answer` and `carrier_unavailable` unless given. After `worker_lost` and `reconciled_unknown` the callee’s telephone may have rung already. */
                on?: ("silence_timeout" | "voicemail_reached" | "call_screened" | "busy" | "no_answer" | "carrier_unavailable" | "queue_expired" | "outside_calling_window" | "frequency_capped" | "agent_error" | "provider_unavailable" | "no_audio" | "worker_lost" | "reconciled_unknown")[];
                /** @description From the end of a call to its retry, by attempt; the last one repeats. 900, 3600, 14400 unless given. */
                after_seconds?: number[];
            } | null;
            /** @description As in a request for a call; null: the default. */
            max_duration_seconds?: number | null;
            /** @description As in a request for a call; null: the default. */
            ring_timeout_seconds?: number | null;
            /** @description As in a request for a call; null: only the account’s endpoints. */
            webhook_url?: string | null;
            /** @description Not before this time, at most 90 days ahead; null: at its start. */
            starts_at?: string | null;
            /** @description Your own data, returned unchanged. */
            metadata?: {
                [key: string]: unknown;
            };
        };
        CancelCampaign: {
            /**
             * @description Ends its open calls too.
             * @default false
             */
            hang_up?: boolean;
        };
        AddContacts: {
            /** @description Whom to call. A number that the campaign has already is a duplicate, and is not added again. */
            contacts: {
                /** @description The number to call. */
                to_number: string;
                /** @default {} */
                variables?: {
                    [key: string]: string;
                };
                /** @default {} */
                metadata?: {
                    [key: string]: unknown;
                };
                /** @description The callee’s time zone, as in a request for a call. */
                time_zone?: string;
            }[];
        };
        CreateSuppressions: {
            /** @description The numbers that are not called any more. One that is on the list already stays as it is. */
            numbers: string[];
            /** @description Why. Readers of the list see it. */
            reason?: string;
        };
        CheckSuppressions: {
            /** @description The numbers to look up. */
            numbers: string[];
        };
        DeleteSuppression: {
            /** @description Why the number may be called again. It is audited. */
            reason: string;
        };
        OptOutCall: {
            /** @description What the callee said. Readers of the list see it. */
            reason?: string;
        };
        CreateWebhookEndpoint: {
            /** @description Where webhooks are sent: an `https:` URL on the public internet. */
            url: string;
            /** @description The types that it receives. Empty: all, also those of later versions. */
            events?: ("call.scheduled" | "call.queued" | "call.dialing" | "call.ringing" | "call.answered" | "call.answered_by" | "call.opted_out" | "call.ended" | "call.recording_ready" | "call.analyzed" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.cancelled" | "webhook.endpoint_disabled" | "webhook.test")[];
            /** @description Your own words. */
            description?: string;
            /** @description The most requests per second. Null: no limit. */
            rate_per_second?: number | null;
        };
        UpdateWebhookEndpoint: {
            /** @description Where webhooks are sent: an `https:` URL on the public internet. */
            url?: string;
            /** @description The types that it receives. Empty: all, also those of later versions. */
            events?: ("call.scheduled" | "call.queued" | "call.dialing" | "call.ringing" | "call.answered" | "call.answered_by" | "call.opted_out" | "call.ended" | "call.recording_ready" | "call.analyzed" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.cancelled" | "webhook.endpoint_disabled" | "webhook.test")[];
            /** @description Your own words. */
            description?: string;
            /** @description The most requests per second. Null: no limit. */
            rate_per_second?: number | null;
            /**
             * @description Disabling drops what is pending. Enabling begins with the events from then on.
             * @enum {string}
             */
            state?: "enabled" | "disabled";
            /**
             * @description The shape of the bodies.
             * @enum {string}
             */
            api_version?: "2026-12-01";
        };
        RotateWebhookSecret: {
            /**
             * @description How long both secrets sign. 0: the old one ends at once.
             * @default 24
             */
            overlap_hours?: number;
        };
        TestWebhook: {
            /**
             * @description What to send: an example of this type, with `"test": true`.
             * @default webhook.test
             * @enum {string}
             */
            type?: "call.scheduled" | "call.queued" | "call.dialing" | "call.ringing" | "call.answered" | "call.answered_by" | "call.opted_out" | "call.ended" | "call.recording_ready" | "call.analyzed" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.cancelled" | "webhook.test";
        };
        ResendWebhook: {
            /**
             * Format: uuid
             * @description The endpoint that receives the message once more.
             */
            endpoint_id: string;
        };
        CreateWebhookReplay: {
            /**
             * Format: date-time
             * @description Events from this time on, at most 30 days ago.
             */
            since: string;
            /**
             * Format: date-time
             * @description Events before this time. Default: now.
             */
            until?: string;
            /** @description Only these, of the types that the endpoint receives. Empty or omitted: all that it receives. */
            events?: ("call.scheduled" | "call.queued" | "call.dialing" | "call.ringing" | "call.answered" | "call.answered_by" | "call.opted_out" | "call.ended" | "call.recording_ready" | "call.analyzed" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.cancelled")[];
            /**
             * @description `failed`: what was not delivered. `missing`: what the endpoint never had. `all`: everything again.
             * @default failed_and_missing
             * @enum {string}
             */
            only?: "failed" | "missing" | "failed_and_missing" | "all";
        };
        CreateWebhookListener: {
            /** @description The types that it receives. Empty: all, also those of later versions. */
            events?: ("call.scheduled" | "call.queued" | "call.dialing" | "call.ringing" | "call.answered" | "call.answered_by" | "call.opted_out" | "call.ended" | "call.recording_ready" | "call.analyzed" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.cancelled" | "webhook.endpoint_disabled" | "webhook.test")[];
        };
        WebhookResult: {
            /**
             * Format: uuid
             * @description The message.
             */
            message_id: string;
            /** @description The attempt, as the stream named it. */
            attempt: number;
            /** @description The HTTP status of the response. Null: there was none. */
            status: number | null;
            /** @description Why there was none. Null: there was one. */
            error: ("timeout" | "dns" | "connect" | "tls" | "reset" | "too_large") | null;
            /** @description Until the response was read, or the attempt failed. */
            duration_ms: number;
            /**
             * @description The log keeps ten of them, without cookies.
             * @default {}
             */
            response_headers?: {
                [key: string]: string;
            };
            /**
             * @description The log keeps the first 2 KiB.
             * @default null
             */
            response_body?: string | null;
        };
        Call: {
            /**
             * Format: uuid
             * @description Identifies the call.
             */
            id: string;
            /**
             * Format: uuid
             * @description The account that the call belongs to.
             */
            owner_id: string;
            /**
             * Format: uuid
             * @description The agent that conducts it.
             */
            agent_id: string;
            /** @description The version of the agent that conducts it: the current one when the call was accepted. */
            agent_version: number;
            /** @description The number that the call comes from. */
            caller_number: string;
            /** @description The number that is called. */
            callee_number: string;
            /**
             * @description Always outbound.
             * @constant
             */
            direction: "outbound";
            /**
             * @description Only moves forward, in this order; any state may go straight to `ended`. Only a call that is not to be dialed at once begins as `scheduled`; it has no funds and no slot until it is `queued`.
             * @enum {string}
             */
            status: "scheduled" | "queued" | "dialing" | "ringing" | "in_progress" | "ended";
            /** @description When dialing began; for a call that was never dialed, when it ended. */
            started_at: string | null;
            /** @description When the callee picked up. Null: not yet, or never. */
            answered_at: string | null;
            /** @description Null until it has ended. */
            ended_at: string | null;
            /** @description Whole seconds from start to end. Null until it has ended. */
            duration_seconds: number | null;
            /** @description From answer to end, rounded up to the increment of the rate. */
            billable_seconds: number;
            /** @description Who or what picked up. Null: not known yet, or the call was not answered. */
            answered_by: ("human" | "voicemail" | "ivr" | "screening" | "unknown") | null;
            /** @description What was said, turn by turn. Null until the call has ended. */
            transcript: components["schemas"]["Turn"][] | null;
            /** @description The outcome of the call, in a sentence or two. */
            summary: string | null;
            /**
             * @description How far the analysis of the ended call has got. `none`: its agent asks for none, or the callee said nothing.
             * @enum {string}
             */
            analysis_status: "none" | "pending" | "completed" | "failed" | "skipped";
            /** @description What the analysis found. Null until it is completed, if it was skipped, and if no model answered. */
            analysis: {
                /** @description What happened in the call. Null: not asked for. */
                summary: string | null;
                /** @description The fields that the agent asks for. Null: none. */
                data: {
                    [key: string]: unknown;
                } | null;
                /** @description Whether the call met the agent’s criteria. Null: not asked for. */
                success: {
                    /** @description True or false, or 1 to 10, as the agent asks. */
                    value: boolean | number;
                    /** @description Why, in a sentence. */
                    reason: string;
                } | null;
                /** @description For a failed analysis: the answer that did not fit, cut to 4,000 characters. */
                text: string | null;
                /** @description The model that analyzed the call. */
                model: string;
                /**
                 * Format: date-time
                 * @description When it was completed.
                 */
                completed_at: string;
                /** @description What the model used for it; not part of the call’s `usage`. Empty where an earlier version made it. */
                usage: {
                    /**
                     * @description What the model does in the call.
                     * @enum {string}
                     */
                    component: "realtime" | "stt" | "llm" | "tts";
                    /**
                     * @description Who bills it.
                     * @enum {string}
                     */
                    provider: "openai" | "openai_live" | "deepgram" | "elevenlabs" | "cartesia" | "anthropic" | "google" | "azure" | "xai" | "openai_compatible" | "local";
                    /** @description Its name in the agent’s settings. */
                    model: string;
                    /**
                     * @description What `quantity` counts.
                     * @enum {string}
                     */
                    unit: "input_text_token" | "cached_input_text_token" | "input_audio_token" | "cached_input_audio_token" | "output_text_token" | "output_audio_token" | "second" | "character" | "request";
                    /** @description How many units; whole, except for seconds. */
                    quantity: number;
                    /** @description Your own credential: the provider bills you, and it costs nothing here. */
                    own_credential: boolean;
                }[];
                /** @description In units of `currency`; not part of the call’s `cost`. */
                cost: number;
            } | null;
            /** @description How fast the models of the ended call answered: times from the end of the callee’s speech to the first sound of the answer. Null until the call has ended, for a scripted agent, and without an answer. */
            latency: {
                /** @description Half of the answers came within this time. */
                p50_ms: number;
                /** @description 95 of 100 answers came within this time. */
                p95_ms: number;
                /** @description The agent’s turns, at most 500. */
                turns: {
                    /** @description When the agent’s turn began, in milliseconds from answer. */
                    start_ms: number;
                    /** @description Time to the answer. Null: the turn answers nothing. */
                    answer_ms: number | null;
                    /** @description From the callee’s interruption to the agent’s silence. Null: the callee did not interrupt. */
                    barge_in_ms: number | null;
                    /** @description What the answer of a chain of models waited for, in this order. Null for others and for static texts. */
                    parts: {
                        /** @description From the end of the callee’s words to the end of the turn, as speech to text reports it. Null: the answer follows a tool or silence. */
                        endpointing_ms: number | null;
                        /** @description From there to the first token of the language model. */
                        llm_ttft_ms: number;
                        /** @description From there to the first sound of the voice. */
                        tts_ttfb_ms: number;
                    } | null;
                }[];
            } | null;
            /** @description Your own note. */
            review_note: string | null;
            /** @description Path of the recording. Present from the start, readable once the recording is available. */
            recording_url: string;
            /**
             * @description Whether that path has a recording.
             * @enum {string}
             */
            recording_status: "pending" | "available" | "none";
            /** @description In units of `currency`, at most six decimals. 0 until the call has ended. */
            cost: number;
            /** @description ISO 4217, of every amount of the call. */
            currency: string;
            /** @description How the cost is composed. */
            cost_breakdown: components["schemas"]["CostBreakdown"];
            /** @description What the models of the call used, updated during the call. Empty for a scripted agent. */
            usage: {
                /**
                 * @description What the model does in the call.
                 * @enum {string}
                 */
                component: "realtime" | "stt" | "llm" | "tts";
                /**
                 * @description Who bills it.
                 * @enum {string}
                 */
                provider: "openai" | "openai_live" | "deepgram" | "elevenlabs" | "cartesia" | "anthropic" | "google" | "azure" | "xai" | "openai_compatible" | "local";
                /** @description Its name in the agent’s settings. */
                model: string;
                /**
                 * @description What `quantity` counts.
                 * @enum {string}
                 */
                unit: "input_text_token" | "cached_input_text_token" | "input_audio_token" | "cached_input_audio_token" | "output_text_token" | "output_audio_token" | "second" | "character" | "request";
                /** @description How many units; whole, except for seconds. */
                quantity: number;
                /** @description Your own credential: the provider bills you, and it costs nothing here. */
                own_credential: boolean;
            }[];
            /** @description Why it ended: one of this closed list. Null until it has ended. */
            ended_reason: ("callee_hangup" | "agent_hangup" | "transferred" | "max_duration_reached" | "silence_timeout" | "voicemail_reached" | "call_screened" | "funds_exhausted" | "cancelled" | "hung_up_by_api" | "busy" | "no_answer" | "declined" | "invalid_destination" | "carrier_rejected" | "carrier_unavailable" | "connection_lost" | "queue_expired" | "schedule_expired" | "not_permitted" | "suppressed" | "outside_calling_window" | "frequency_capped" | "opted_out" | "agent_error" | "provider_unavailable" | "provider_rejected" | "no_audio" | "worker_lost" | "reconciled_unknown") | null;
            /** @description Why the agent failed, if the call ended `agent_error`; otherwise null. */
            failure: {
                /**
                 * @description Which failure it was. Stable, for programs.
                 * @enum {string}
                 */
                code: "text_unspeakable" | "text_too_long" | "speech_failed" | "settings_unusable" | "agent_failed";
                /** @description What happened and what to do about it, for people. */
                message: string;
                /** @description The text of the agent’s settings that failed, such as `lines.2`. */
                field: string | null;
            } | null;
            /** @description The carrier’s last final response. Null: there was none, or the call was never dialed. */
            sip_code: number | null;
            /** @description The carrier’s details when it rejected the call; otherwise null. */
            sip: {
                /** @description The final response that rejected the call. */
                code: number;
                /** @description Its reason phrase. */
                reason_phrase: string | null;
                /** @description Its first Warning header field. */
                warning: string | null;
                /** @description Its ITU-T Q.850 cause, from the Reason header field. */
                q850_cause: number | null;
                /** @description The text of that cause. */
                q850_text: string | null;
            } | null;
            /** @description The second legs of its warm transfers, in order. Absent without any. */
            transfer_legs?: {
                /**
                 * Format: uuid
                 * @description Identifies the leg.
                 */
                id: string;
                /** @description The name of the destination in the agent’s settings. */
                destination: string;
                /** @description The number that is called. */
                callee_number: string;
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                started_at: string;
                /** @description When the destination picked up. Null: not yet, or never. */
                answered_at: string | null;
                /** @description Since when the callee and the destination heard each other. */
                connected_at: string | null;
                /** @description Null while it is up. */
                ended_at: string | null;
                /** @description How it ended: null while it is up. `connected`: the callee talked to the destination. `not_connected`: the destination answered, and the leg ended before. `lost`: its worker was lost. */
                result: ("connected" | "not_connected" | "busy" | "no_answer" | "declined" | "unreachable" | "cancelled" | "not_dialed" | "lost") | null;
                /** @description The carrier’s last final response on this leg. */
                sip_code: number | null;
                /** @description From its answer to its end, rounded up to the increment of its rate. */
                billable_seconds: number;
                /** @description A part of the call’s `cost`, by the rate of its destination. 0 until the call has ended. */
                cost: number;
            }[];
            /** @description As given when it was created. */
            variables: {
                [key: string]: string;
            };
            /** @description As given when it was created. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The limits of this call. */
            limits: {
                /** @description Maximum talk time. */
                max_duration_seconds: number;
                /** @description Maximum ringing time. */
                ring_timeout_seconds: number;
            };
            /** @description Receives the webhooks of this call. As given when it was created. */
            webhook_url: string | null;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            created_at: string;
            /** @description Not dialed before this time. Null: it was to be dialed at once. */
            scheduled_for: string | null;
            /** @description When to give up: if it is not being dialed by then, it ends, and no retry begins later. Null for a call without a schedule and without retries. */
            expires_at: string | null;
            /** @description What the scheduled call waits for: its time, a free slot, funds, the callee’s calling hours (`window`), or the end of a period in which the number was called as often as it may be (`cap`); of a campaign also: that it goes on, because it is paused or has used up its budget (`campaign`), its pace, or a free line of the model’s provider (`provider`). Null if nothing holds it up, and in any other status. */
            waiting_for: ("time" | "capacity" | "funds" | "window" | "cap" | "campaign" | "pace" | "provider") | null;
            /** @description 1 for the call of the request, 2 for its first retry, and so on. */
            attempt: number;
            /** @description The call that this one retries. Null: it retries none. */
            retry_of: string | null;
            /** @description The call that retries this one. Null until this one has ended, and if none does. */
            next_call_id: string | null;
            /** @description The campaign that it belongs to. Null for a single call. */
            campaign_id: string | null;
        };
        CallEnvelope: {
            call: components["schemas"]["Call"];
        };
        CallList: {
            /** @description Newest first. At most `limit` calls and about 1 MB, but at least one call. */
            calls: components["schemas"]["Call"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the next page. Null: this is the last page. */
            next_cursor: string | null;
        };
        Turn: {
            /**
             * @description Who speaks. `supervisor`: an instruction to the model during the call, which the callee did not hear.
             * @enum {string}
             */
            role: "agent" | "callee" | "supervisor";
            /** @description The words; for the agent, those that were actually played. Null: not transcribed. */
            text: string | null;
            /** @description Milliseconds from answer. */
            start_ms: number;
            /** @description Milliseconds from answer. */
            end_ms: number;
            /**
             * @description Where the text comes from.
             * @enum {string}
             */
            source: "script" | "model" | "stt" | "dtmf" | "untranscribed" | "instruction";
            /** @description The other side interrupted it before the end. */
            interrupted: boolean;
        };
        Instruction: {
            /**
             * Format: uuid
             * @description The call.
             */
            call_id: string;
            /** @description As the model has it. */
            text: string;
        };
        InstructionEnvelope: {
            /** @description What the model of the call has taken. */
            instruction: components["schemas"]["Instruction"];
        };
        CostBreakdown: {
            /** @description The amount reserved from the wallet, 0 for a scheduled call; the cost never exceeds it. */
            reserved: number;
            /** @description Their costs sum to `total`. */
            items: {
                /**
                 * @description What is charged for. `realtime`, `stt`, `llm` and `tts` are what models used. `transfer_connection` and `transfer_talk_time` are of the second leg of a warm transfer.
                 * @enum {string}
                 */
                product: "connection" | "talk_time" | "transfer_connection" | "transfer_talk_time" | "realtime" | "stt" | "llm" | "tts" | "adjustment";
                /** @description Price of one connection, of one minute, or of a million units of a model. */
                unit_price: number;
                /** @description Connections, billed minutes (decimal), units of a model, or 1 for an adjustment. */
                quantity: number;
                /** @description Cost of this item, rounded up to a millionth. */
                cost: number;
                /**
                 * @description Of a model: who bills it.
                 * @enum {string}
                 */
                provider?: "openai" | "openai_live" | "deepgram" | "elevenlabs" | "cartesia" | "anthropic" | "google" | "azure" | "xai" | "openai_compatible" | "local";
                /** @description Of a model: its name in the agent’s settings. */
                model?: string;
                /**
                 * @description Of a model: what `quantity` counts.
                 * @enum {string}
                 */
                unit?: "input_text_token" | "cached_input_text_token" | "input_audio_token" | "cached_input_audio_token" | "output_text_token" | "output_audio_token" | "second" | "character" | "request";
            }[];
            /** @description The same as `cost`. */
            total: number;
        };
        CallEvent: {
            /** @description Increases within a call. A stream resumes after the event that `Last-Event-ID` names. */
            id: string;
            /**
             * Format: date-time
             * @description When it happened.
             */
            at: string;
            /**
             * @description What happened. State changes carry the new state’s name; `ended` is the last of them. Only `recording_available`, `analyzed` and `opted_out` may follow it. `waiting`: a scheduled call waits for something else (`data.for`). `opted_out`: the callee is on the account’s do-not-call list from now on (`data.evidence`: `key`, `tool` or `request`). `transfer`: the agent transfers the callee to a destination of its settings (`data.destination`); `data.state` is `started`, then `succeeded` or `failed`; `data.mode` is `warm` if we call the destination ourselves.
             * @enum {string}
             */
            type: "scheduled" | "queued" | "dialing" | "ringing" | "in_progress" | "ended" | "waiting" | "answered_by" | "end_requested" | "hold_enlarged" | "taken_over" | "tool_called" | "transfer" | "provider_failed" | "provider_recovered" | "opted_out" | "recording_available" | "analyzed";
            /** @description Details of the event, such as `sip_code` or `ended_reason`. */
            data: {
                [key: string]: unknown;
            };
        };
        CallEventList: {
            /** @description In the order in which they happened. */
            events: components["schemas"]["CallEvent"][];
        };
        AgentSettings: components["schemas"]["ScriptedSettings"] | components["schemas"]["RealtimeSettings"] | components["schemas"]["CascadeSettings"];
        ScriptedSettings: {
            /**
             * @default scripted
             * @constant
             */
            driver: "scripted";
            name: string;
            /**
             * @default slt
             * @enum {string}
             */
            voice: "slt" | "rms" | "awb" | "kal";
            first_message: string;
            /** @default [] */
            lines: string[];
            /**
             * @default {
             *       "prompt": "Are you there?",
             *       "after_ms": 4000,
             *       "times": 2
             *     }
             */
            no_input: {
                prompt: string;
                after_ms: number;
                times: number;
            };
            menu?: {
                [key: string]: string;
            };
            opt_out?: {
                key: string;
                /** @default You will not be called again. Goodbye. */
                confirmation: string;
            };
            /** @default Goodbye. */
            closing: string;
            voicemail_message?: string;
            screening_reply?: string;
            /** @default true */
            barge_in: boolean;
        };
        RealtimeSettings: {
            /** @constant */
            driver: "realtime";
            name: string;
            /** @default en-US */
            language: string;
            /** @default UTC */
            timezone: string;
            instructions: string;
            /** @default [] */
            knowledge: {
                title: string;
                text: string;
            }[];
            /**
             * @default agent
             * @enum {string}
             */
            first_speaker: "agent" | "callee";
            first_message?: string;
            /**
             * @default static
             * @enum {string}
             */
            first_message_mode: "static" | "generated";
            interruption: {
                /** @default true */
                enabled: boolean;
                /** @default 140 */
                min_speech_ms: number;
                /** @default 0 */
                min_words: number;
                /** @default [] */
                ignore_phrases: string[];
                /** @default 400 */
                false_interruption_timeout_ms: number;
            };
            endpointing: {
                /**
                 * @default provider
                 * @enum {string}
                 */
                mode: "provider" | "silence";
                /** @default 500 */
                min_delay_ms: number;
                /** @default 3000 */
                max_delay_ms: number;
            };
            no_input: {
                prompt?: string;
                /** @default 6000 */
                after_ms: number;
                /** @default 2 */
                times: number;
            };
            voicemail: {
                /**
                 * @default hang_up
                 * @enum {string}
                 */
                action: "hang_up" | "leave_message";
                message?: string;
            };
            screening_reply?: string;
            closing?: string;
            /** @default I am sorry, there is a technical problem. Goodbye. */
            failure_message: string;
            end_call: {
                /** @default [] */
                phrases: string[];
                /** @default true */
                on_model: boolean;
            };
            opt_out: {
                key?: string;
                /** @default You will not be called again. Goodbye. */
                confirmation: string;
                /** @default true */
                on_model: boolean;
            };
            max_turns?: number;
            max_duration_seconds?: number;
            waiting: {
                /** @default 1500 */
                after_ms: number;
                /**
                 * @default [
                 *       "One moment."
                 *     ]
                 */
                phrases: string[];
            };
            /** @default [] */
            tools: ({
                /** @constant */
                type: "end_call";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "press_digits";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "leave_voicemail";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "transfer_call";
                name: string;
                description: string;
                /**
                 * @default blind
                 * @enum {string}
                 */
                mode: "blind" | "warm";
                ring_timeout_seconds?: number;
                destinations: {
                    name: string;
                    to_number: string;
                    description: string;
                    message?: string;
                    introduction?: string;
                }[];
            } | {
                /** @constant */
                type: "http";
                name: string;
                description: string;
                /** Format: uri */
                url: string;
                /** @default {} */
                headers: {
                    [key: string]: string;
                };
                /** @default 10000 */
                timeout_ms: number;
                /**
                 * @default {
                 *       "after": "model"
                 *     }
                 */
                speak: {
                    while_running?: string;
                    /**
                     * @default model
                     * @enum {string}
                     */
                    after: "model" | "nothing";
                };
                /**
                 * @default POST
                 * @enum {string}
                 */
                method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /**
                 * @default {
                 *       "type": "object",
                 *       "properties": {}
                 *     }
                 */
                parameters: {
                    [key: string]: unknown;
                };
                /**
                 * @default body
                 * @enum {string}
                 */
                send: "body" | "query";
                /** @default false */
                idempotent: boolean;
            } | {
                /** @constant */
                type: "mcp";
                name: string;
                /** Format: uri */
                url: string;
                /** @default {} */
                headers: {
                    [key: string]: string;
                };
                /** @default 10000 */
                timeout_ms: number;
                allowed_tools?: string[];
                /**
                 * @default {
                 *       "after": "model"
                 *     }
                 */
                speak: {
                    while_running?: string;
                    /**
                     * @default model
                     * @enum {string}
                     */
                    after: "model" | "nothing";
                };
                listed?: {
                    protocol_version: string;
                    tools: {
                        name: string;
                        server_name: string;
                        description: string;
                        parameters: {
                            [key: string]: unknown;
                        };
                        idempotent: boolean;
                    }[];
                };
            })[];
            analysis?: {
                summary?: {
                    prompt?: string;
                };
                data?: {
                    /** @constant */
                    type: "object";
                    title?: string;
                    description?: string;
                    properties: {
                        [key: string]: {
                            /** @constant */
                            type: "string";
                            title?: string;
                            description?: string;
                            enum?: string[];
                        } | {
                            /** @enum {string} */
                            type: "number" | "integer";
                            title?: string;
                            description?: string;
                            minimum?: number;
                            maximum?: number;
                        } | {
                            /** @constant */
                            type: "boolean";
                            title?: string;
                            description?: string;
                        } | {
                            /** @constant */
                            type: "array";
                            title?: string;
                            description?: string;
                            items: {
                                /** @constant */
                                type: "string";
                                title?: string;
                                description?: string;
                                enum?: string[];
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                title?: string;
                                description?: string;
                                minimum?: number;
                                maximum?: number;
                            } | {
                                /** @constant */
                                type: "boolean";
                                title?: string;
                                description?: string;
                            };
                        };
                    };
                    required?: string[];
                    /** @constant */
                    additionalProperties?: false;
                };
                success?: {
                    criteria: string;
                    /**
                     * @default boolean
                     * @enum {string}
                     */
                    scale: "boolean" | "1-10";
                };
                llm: {
                    /** @enum {string} */
                    provider: "openai" | "anthropic" | "google" | "openai_compatible" | "local";
                    model: string;
                    credential?: string;
                    temperature?: number;
                    /** @default 1000 */
                    max_output_tokens: number;
                };
            };
            model: {
                /** @constant */
                provider: "openai";
                model: string;
                /**
                 * @default marin
                 * @enum {string}
                 */
                voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                credential?: string;
                /** @enum {string} */
                reasoning_effort?: "minimal" | "low" | "medium" | "high";
                /** @default 1024 */
                max_output_tokens: number;
                turn_detection: {
                    /** @constant */
                    type: "server_vad";
                    /** @default 0.5 */
                    threshold: number;
                    /** @default 300 */
                    prefix_padding_ms: number;
                    /** @default 500 */
                    silence_duration_ms: number;
                } | {
                    /** @constant */
                    type: "semantic_vad";
                    /**
                     * @default auto
                     * @enum {string}
                     */
                    eagerness: "low" | "medium" | "high" | "auto";
                };
                /** @enum {string} */
                noise_reduction?: "near_field" | "far_field";
                /**
                 * @default {
                 *       "model": "gpt-4o-mini-transcribe",
                 *       "keywords": []
                 *     }
                 */
                transcription: {
                    model: string;
                    /** @default [] */
                    keywords: string[];
                } | null;
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "openai";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold: number;
                        /** @default 300 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    /**
                     * @default {
                     *       "model": "gpt-4o-mini-transcribe",
                     *       "keywords": []
                     *     }
                     */
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "openai_live";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                    credential?: string;
                    delegation: {
                        /** @default gpt-5-mini */
                        model: string;
                        /** @enum {string} */
                        reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                        /** @default 2048 */
                        max_output_tokens: number;
                    };
                } | {
                    /** @constant */
                    provider: "azure";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold: number;
                        /** @default 300 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "xai";
                    model: string;
                    /**
                     * @default eve
                     * @enum {string}
                     */
                    voice: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "high";
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.85 */
                        threshold: number;
                        /** @default 333 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    };
                    transcription: {
                        /**
                         * @default grok-transcribe
                         * @constant
                         */
                        model: "grok-transcribe";
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "google";
                    model: string;
                    /**
                     * @default Kore
                     * @enum {string}
                     */
                    voice: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                    credential?: string;
                    /** @default 2048 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        start_sensitivity: "low" | "high";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        end_sensitivity: "low" | "high";
                        /** @default 60 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    };
                    transcription: {
                        /** @default [] */
                        keywords: string[];
                    } | null;
                })[];
            } | {
                /** @constant */
                provider: "openai_live";
                model: string;
                /**
                 * @default marin
                 * @enum {string}
                 */
                voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                credential?: string;
                delegation: {
                    /** @default gpt-5-mini */
                    model: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                    /** @default 2048 */
                    max_output_tokens: number;
                };
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "openai";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold: number;
                        /** @default 300 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    /**
                     * @default {
                     *       "model": "gpt-4o-mini-transcribe",
                     *       "keywords": []
                     *     }
                     */
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "openai_live";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                    credential?: string;
                    delegation: {
                        /** @default gpt-5-mini */
                        model: string;
                        /** @enum {string} */
                        reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                        /** @default 2048 */
                        max_output_tokens: number;
                    };
                } | {
                    /** @constant */
                    provider: "azure";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold: number;
                        /** @default 300 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "xai";
                    model: string;
                    /**
                     * @default eve
                     * @enum {string}
                     */
                    voice: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "high";
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.85 */
                        threshold: number;
                        /** @default 333 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    };
                    transcription: {
                        /**
                         * @default grok-transcribe
                         * @constant
                         */
                        model: "grok-transcribe";
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "google";
                    model: string;
                    /**
                     * @default Kore
                     * @enum {string}
                     */
                    voice: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                    credential?: string;
                    /** @default 2048 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        start_sensitivity: "low" | "high";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        end_sensitivity: "low" | "high";
                        /** @default 60 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    };
                    transcription: {
                        /** @default [] */
                        keywords: string[];
                    } | null;
                })[];
            } | {
                /** @constant */
                provider: "azure";
                model: string;
                /**
                 * @default marin
                 * @enum {string}
                 */
                voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                credential?: string;
                /** @enum {string} */
                reasoning_effort?: "minimal" | "low" | "medium" | "high";
                /** @default 1024 */
                max_output_tokens: number;
                turn_detection: {
                    /** @constant */
                    type: "server_vad";
                    /** @default 0.5 */
                    threshold: number;
                    /** @default 300 */
                    prefix_padding_ms: number;
                    /** @default 500 */
                    silence_duration_ms: number;
                } | {
                    /** @constant */
                    type: "semantic_vad";
                    /**
                     * @default auto
                     * @enum {string}
                     */
                    eagerness: "low" | "medium" | "high" | "auto";
                };
                /** @enum {string} */
                noise_reduction?: "near_field" | "far_field";
                transcription: {
                    model: string;
                    /** @default [] */
                    keywords: string[];
                } | null;
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "openai";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold: number;
                        /** @default 300 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    /**
                     * @default {
                     *       "model": "gpt-4o-mini-transcribe",
                     *       "keywords": []
                     *     }
                     */
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "openai_live";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                    credential?: string;
                    delegation: {
                        /** @default gpt-5-mini */
                        model: string;
                        /** @enum {string} */
                        reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                        /** @default 2048 */
                        max_output_tokens: number;
                    };
                } | {
                    /** @constant */
                    provider: "azure";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold: number;
                        /** @default 300 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "xai";
                    model: string;
                    /**
                     * @default eve
                     * @enum {string}
                     */
                    voice: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "high";
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.85 */
                        threshold: number;
                        /** @default 333 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    };
                    transcription: {
                        /**
                         * @default grok-transcribe
                         * @constant
                         */
                        model: "grok-transcribe";
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "google";
                    model: string;
                    /**
                     * @default Kore
                     * @enum {string}
                     */
                    voice: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                    credential?: string;
                    /** @default 2048 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        start_sensitivity: "low" | "high";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        end_sensitivity: "low" | "high";
                        /** @default 60 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    };
                    transcription: {
                        /** @default [] */
                        keywords: string[];
                    } | null;
                })[];
            } | {
                /** @constant */
                provider: "xai";
                model: string;
                /**
                 * @default eve
                 * @enum {string}
                 */
                voice: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                credential?: string;
                /** @enum {string} */
                reasoning_effort?: "none" | "high";
                turn_detection: {
                    /** @constant */
                    type: "server_vad";
                    /** @default 0.85 */
                    threshold: number;
                    /** @default 333 */
                    prefix_padding_ms: number;
                    /** @default 500 */
                    silence_duration_ms: number;
                };
                transcription: {
                    /**
                     * @default grok-transcribe
                     * @constant
                     */
                    model: "grok-transcribe";
                    /** @default [] */
                    keywords: string[];
                } | null;
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "openai";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold: number;
                        /** @default 300 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    /**
                     * @default {
                     *       "model": "gpt-4o-mini-transcribe",
                     *       "keywords": []
                     *     }
                     */
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "openai_live";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                    credential?: string;
                    delegation: {
                        /** @default gpt-5-mini */
                        model: string;
                        /** @enum {string} */
                        reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                        /** @default 2048 */
                        max_output_tokens: number;
                    };
                } | {
                    /** @constant */
                    provider: "azure";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold: number;
                        /** @default 300 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "xai";
                    model: string;
                    /**
                     * @default eve
                     * @enum {string}
                     */
                    voice: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "high";
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.85 */
                        threshold: number;
                        /** @default 333 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    };
                    transcription: {
                        /**
                         * @default grok-transcribe
                         * @constant
                         */
                        model: "grok-transcribe";
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "google";
                    model: string;
                    /**
                     * @default Kore
                     * @enum {string}
                     */
                    voice: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                    credential?: string;
                    /** @default 2048 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        start_sensitivity: "low" | "high";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        end_sensitivity: "low" | "high";
                        /** @default 60 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    };
                    transcription: {
                        /** @default [] */
                        keywords: string[];
                    } | null;
                })[];
            } | {
                /** @constant */
                provider: "google";
                model: string;
                /**
                 * @default Kore
                 * @enum {string}
                 */
                voice: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                credential?: string;
                /** @default 2048 */
                max_output_tokens: number;
                turn_detection: {
                    /** @constant */
                    type: "server_vad";
                    /**
                     * @default high
                     * @enum {string}
                     */
                    start_sensitivity: "low" | "high";
                    /**
                     * @default high
                     * @enum {string}
                     */
                    end_sensitivity: "low" | "high";
                    /** @default 60 */
                    prefix_padding_ms: number;
                    /** @default 500 */
                    silence_duration_ms: number;
                };
                transcription: {
                    /** @default [] */
                    keywords: string[];
                } | null;
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "openai";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold: number;
                        /** @default 300 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    /**
                     * @default {
                     *       "model": "gpt-4o-mini-transcribe",
                     *       "keywords": []
                     *     }
                     */
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "openai_live";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse" | "beacon" | "bossa" | "cinder" | "delta" | "gleam" | "meridian" | "quartz" | "ripple" | "shida" | "stone" | "tempo" | "vesper" | "willow";
                    credential?: string;
                    delegation: {
                        /** @default gpt-5-mini */
                        model: string;
                        /** @enum {string} */
                        reasoning_effort?: "none" | "minimal" | "low" | "medium" | "high";
                        /** @default 2048 */
                        max_output_tokens: number;
                    };
                } | {
                    /** @constant */
                    provider: "azure";
                    model: string;
                    /**
                     * @default marin
                     * @enum {string}
                     */
                    voice: "alloy" | "ash" | "ballad" | "cedar" | "coral" | "echo" | "marin" | "sage" | "shimmer" | "verse";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "minimal" | "low" | "medium" | "high";
                    /** @default 1024 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.5 */
                        threshold: number;
                        /** @default 300 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    } | {
                        /** @constant */
                        type: "semantic_vad";
                        /**
                         * @default auto
                         * @enum {string}
                         */
                        eagerness: "low" | "medium" | "high" | "auto";
                    };
                    /** @enum {string} */
                    noise_reduction?: "near_field" | "far_field";
                    transcription: {
                        model: string;
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "xai";
                    model: string;
                    /**
                     * @default eve
                     * @enum {string}
                     */
                    voice: "altair" | "ara" | "atlas" | "aurora" | "carina" | "castor" | "celeste" | "cosmo" | "eve" | "helios" | "helix" | "iris" | "kepler" | "leo" | "liora" | "lumen" | "luna" | "lux" | "naksh" | "orion" | "perseus" | "rex" | "rigel" | "sal" | "sirius" | "ursa" | "zagan" | "zenith";
                    credential?: string;
                    /** @enum {string} */
                    reasoning_effort?: "none" | "high";
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /** @default 0.85 */
                        threshold: number;
                        /** @default 333 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    };
                    transcription: {
                        /**
                         * @default grok-transcribe
                         * @constant
                         */
                        model: "grok-transcribe";
                        /** @default [] */
                        keywords: string[];
                    } | null;
                } | {
                    /** @constant */
                    provider: "google";
                    model: string;
                    /**
                     * @default Kore
                     * @enum {string}
                     */
                    voice: "Achernar" | "Achird" | "Algenib" | "Algieba" | "Alnilam" | "Aoede" | "Autonoe" | "Callirrhoe" | "Charon" | "Despina" | "Enceladus" | "Erinome" | "Fenrir" | "Gacrux" | "Iapetus" | "Kore" | "Laomedeia" | "Leda" | "Orus" | "Puck" | "Pulcherrima" | "Rasalgethi" | "Sadachbia" | "Sadaltager" | "Schedar" | "Sulafat" | "Umbriel" | "Vindemiatrix" | "Zephyr" | "Zubenelgenubi";
                    credential?: string;
                    /** @default 2048 */
                    max_output_tokens: number;
                    turn_detection: {
                        /** @constant */
                        type: "server_vad";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        start_sensitivity: "low" | "high";
                        /**
                         * @default high
                         * @enum {string}
                         */
                        end_sensitivity: "low" | "high";
                        /** @default 60 */
                        prefix_padding_ms: number;
                        /** @default 500 */
                        silence_duration_ms: number;
                    };
                    transcription: {
                        /** @default [] */
                        keywords: string[];
                    } | null;
                })[];
            };
        };
        CascadeSettings: {
            /** @constant */
            driver: "cascade";
            name: string;
            /** @default en-US */
            language: string;
            /** @default UTC */
            timezone: string;
            instructions: string;
            /** @default [] */
            knowledge: {
                title: string;
                text: string;
            }[];
            /**
             * @default agent
             * @enum {string}
             */
            first_speaker: "agent" | "callee";
            first_message?: string;
            /**
             * @default static
             * @enum {string}
             */
            first_message_mode: "static" | "generated";
            interruption: {
                /** @default true */
                enabled: boolean;
                /** @default 140 */
                min_speech_ms: number;
                /** @default 0 */
                min_words: number;
                /** @default [] */
                ignore_phrases: string[];
                /** @default 400 */
                false_interruption_timeout_ms: number;
            };
            endpointing: {
                /**
                 * @default provider
                 * @enum {string}
                 */
                mode: "provider" | "silence";
                /** @default 500 */
                min_delay_ms: number;
                /** @default 3000 */
                max_delay_ms: number;
            };
            no_input: {
                prompt?: string;
                /** @default 6000 */
                after_ms: number;
                /** @default 2 */
                times: number;
            };
            voicemail: {
                /**
                 * @default hang_up
                 * @enum {string}
                 */
                action: "hang_up" | "leave_message";
                message?: string;
            };
            screening_reply?: string;
            closing?: string;
            /** @default I am sorry, there is a technical problem. Goodbye. */
            failure_message: string;
            end_call: {
                /** @default [] */
                phrases: string[];
                /** @default true */
                on_model: boolean;
            };
            opt_out: {
                key?: string;
                /** @default You will not be called again. Goodbye. */
                confirmation: string;
                /** @default true */
                on_model: boolean;
            };
            max_turns?: number;
            max_duration_seconds?: number;
            waiting: {
                /** @default 1500 */
                after_ms: number;
                /**
                 * @default [
                 *       "One moment."
                 *     ]
                 */
                phrases: string[];
            };
            /** @default [] */
            tools: ({
                /** @constant */
                type: "end_call";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "press_digits";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "leave_voicemail";
                name: string;
                description: string;
            } | {
                /** @constant */
                type: "transfer_call";
                name: string;
                description: string;
                /**
                 * @default blind
                 * @enum {string}
                 */
                mode: "blind" | "warm";
                ring_timeout_seconds?: number;
                destinations: {
                    name: string;
                    to_number: string;
                    description: string;
                    message?: string;
                    introduction?: string;
                }[];
            } | {
                /** @constant */
                type: "http";
                name: string;
                description: string;
                /** Format: uri */
                url: string;
                /** @default {} */
                headers: {
                    [key: string]: string;
                };
                /** @default 10000 */
                timeout_ms: number;
                /**
                 * @default {
                 *       "after": "model"
                 *     }
                 */
                speak: {
                    while_running?: string;
                    /**
                     * @default model
                     * @enum {string}
                     */
                    after: "model" | "nothing";
                };
                /**
                 * @default POST
                 * @enum {string}
                 */
                method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
                /**
                 * @default {
                 *       "type": "object",
                 *       "properties": {}
                 *     }
                 */
                parameters: {
                    [key: string]: unknown;
                };
                /**
                 * @default body
                 * @enum {string}
                 */
                send: "body" | "query";
                /** @default false */
                idempotent: boolean;
            } | {
                /** @constant */
                type: "mcp";
                name: string;
                /** Format: uri */
                url: string;
                /** @default {} */
                headers: {
                    [key: string]: string;
                };
                /** @default 10000 */
                timeout_ms: number;
                allowed_tools?: string[];
                /**
                 * @default {
                 *       "after": "model"
                 *     }
                 */
                speak: {
                    while_running?: string;
                    /**
                     * @default model
                     * @enum {string}
                     */
                    after: "model" | "nothing";
                };
                listed?: {
                    protocol_version: string;
                    tools: {
                        name: string;
                        server_name: string;
                        description: string;
                        parameters: {
                            [key: string]: unknown;
                        };
                        idempotent: boolean;
                    }[];
                };
            })[];
            analysis?: {
                summary?: {
                    prompt?: string;
                };
                data?: {
                    /** @constant */
                    type: "object";
                    title?: string;
                    description?: string;
                    properties: {
                        [key: string]: {
                            /** @constant */
                            type: "string";
                            title?: string;
                            description?: string;
                            enum?: string[];
                        } | {
                            /** @enum {string} */
                            type: "number" | "integer";
                            title?: string;
                            description?: string;
                            minimum?: number;
                            maximum?: number;
                        } | {
                            /** @constant */
                            type: "boolean";
                            title?: string;
                            description?: string;
                        } | {
                            /** @constant */
                            type: "array";
                            title?: string;
                            description?: string;
                            items: {
                                /** @constant */
                                type: "string";
                                title?: string;
                                description?: string;
                                enum?: string[];
                            } | {
                                /** @enum {string} */
                                type: "number" | "integer";
                                title?: string;
                                description?: string;
                                minimum?: number;
                                maximum?: number;
                            } | {
                                /** @constant */
                                type: "boolean";
                                title?: string;
                                description?: string;
                            };
                        };
                    };
                    required?: string[];
                    /** @constant */
                    additionalProperties?: false;
                };
                success?: {
                    criteria: string;
                    /**
                     * @default boolean
                     * @enum {string}
                     */
                    scale: "boolean" | "1-10";
                };
                llm: {
                    /** @enum {string} */
                    provider: "openai" | "anthropic" | "google" | "openai_compatible" | "local";
                    model: string;
                    credential?: string;
                    temperature?: number;
                    /** @default 1000 */
                    max_output_tokens: number;
                };
            };
            stt: {
                /** @constant */
                provider: "deepgram";
                /** @default flux-general-en */
                model: string;
                credential?: string;
                /** @default [] */
                keywords: string[];
                options: {
                    eot_threshold?: number;
                    eager_eot_threshold?: number;
                    eot_timeout_ms?: number;
                    endpointing_ms?: number;
                };
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux-general-en */
                    model: string;
                    credential?: string;
                    /** @default [] */
                    keywords: string[];
                    options: {
                        eot_threshold?: number;
                        eager_eot_threshold?: number;
                        eot_timeout_ms?: number;
                        endpointing_ms?: number;
                    };
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    credential?: string;
                    /** @default [] */
                    keywords: string[];
                    options: {
                        endpointing_ms?: number;
                        eager_endpointing_ms?: number;
                    };
                })[];
            } | {
                /** @constant */
                provider: "local";
                model: string;
                credential?: string;
                /** @default [] */
                keywords: string[];
                options: {
                    endpointing_ms?: number;
                    eager_endpointing_ms?: number;
                };
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux-general-en */
                    model: string;
                    credential?: string;
                    /** @default [] */
                    keywords: string[];
                    options: {
                        eot_threshold?: number;
                        eager_eot_threshold?: number;
                        eot_timeout_ms?: number;
                        endpointing_ms?: number;
                    };
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    credential?: string;
                    /** @default [] */
                    keywords: string[];
                    options: {
                        endpointing_ms?: number;
                        eager_endpointing_ms?: number;
                    };
                })[];
            };
            llm: {
                /** @enum {string} */
                provider: "openai" | "anthropic" | "google" | "openai_compatible" | "local";
                model: string;
                credential?: string;
                temperature?: number;
                /** @default 300 */
                max_output_tokens: number;
                /** @default [] */
                fallbacks: {
                    /** @enum {string} */
                    provider: "openai" | "anthropic" | "google" | "openai_compatible" | "local";
                    model: string;
                    credential?: string;
                    temperature?: number;
                    /** @default 300 */
                    max_output_tokens: number;
                }[];
            };
            tts: {
                /** @constant */
                provider: "elevenlabs";
                /** @default eleven_flash_v2_5 */
                model: string;
                voice: string;
                credential?: string;
                speed?: number;
                options: {
                    stability?: number;
                    similarity_boost?: number;
                };
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "elevenlabs";
                    /** @default eleven_flash_v2_5 */
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: {
                        stability?: number;
                        similarity_boost?: number;
                    };
                } | {
                    /** @constant */
                    provider: "cartesia";
                    /** @default sonic-3 */
                    model: string;
                    /** Format: uuid */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux */
                    model: string;
                    /** @default haley-en */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: {
                        /**
                         * @default pcm
                         * @enum {string}
                         */
                        format: "pcm" | "wav";
                        sample_rate?: number;
                    };
                })[];
            } | {
                /** @constant */
                provider: "cartesia";
                /** @default sonic-3 */
                model: string;
                /** Format: uuid */
                voice: string;
                credential?: string;
                speed?: number;
                options: Record<string, never>;
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "elevenlabs";
                    /** @default eleven_flash_v2_5 */
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: {
                        stability?: number;
                        similarity_boost?: number;
                    };
                } | {
                    /** @constant */
                    provider: "cartesia";
                    /** @default sonic-3 */
                    model: string;
                    /** Format: uuid */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux */
                    model: string;
                    /** @default haley-en */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: {
                        /**
                         * @default pcm
                         * @enum {string}
                         */
                        format: "pcm" | "wav";
                        sample_rate?: number;
                    };
                })[];
            } | {
                /** @constant */
                provider: "deepgram";
                /** @default flux */
                model: string;
                /** @default haley-en */
                voice: string;
                credential?: string;
                speed?: number;
                options: Record<string, never>;
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "elevenlabs";
                    /** @default eleven_flash_v2_5 */
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: {
                        stability?: number;
                        similarity_boost?: number;
                    };
                } | {
                    /** @constant */
                    provider: "cartesia";
                    /** @default sonic-3 */
                    model: string;
                    /** Format: uuid */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux */
                    model: string;
                    /** @default haley-en */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: {
                        /**
                         * @default pcm
                         * @enum {string}
                         */
                        format: "pcm" | "wav";
                        sample_rate?: number;
                    };
                })[];
            } | {
                /** @constant */
                provider: "local";
                model: string;
                voice: string;
                credential?: string;
                speed?: number;
                options: {
                    /**
                     * @default pcm
                     * @enum {string}
                     */
                    format: "pcm" | "wav";
                    sample_rate?: number;
                };
                /** @default [] */
                fallbacks: ({
                    /** @constant */
                    provider: "elevenlabs";
                    /** @default eleven_flash_v2_5 */
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: {
                        stability?: number;
                        similarity_boost?: number;
                    };
                } | {
                    /** @constant */
                    provider: "cartesia";
                    /** @default sonic-3 */
                    model: string;
                    /** Format: uuid */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "deepgram";
                    /** @default flux */
                    model: string;
                    /** @default haley-en */
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: Record<string, never>;
                } | {
                    /** @constant */
                    provider: "local";
                    model: string;
                    voice: string;
                    credential?: string;
                    speed?: number;
                    options: {
                        /**
                         * @default pcm
                         * @enum {string}
                         */
                        format: "pcm" | "wav";
                        sample_rate?: number;
                    };
                })[];
            };
        };
        Agent: {
            /**
             * Format: uuid
             * @description Identifies the agent.
             */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description What conducts its calls. Null: its settings are no longer valid. */
            driver: ("scripted" | "realtime" | "cascade") | null;
            /** @description The version that new calls use. */
            version: number;
            /** @description False: another account granted access to it, and only that account may change it. */
            owned: boolean;
            /** @description Null: another account’s agent, or settings that are no longer valid. */
            settings: components["schemas"]["AgentSettings"] | null;
            /** @description Why the settings are no longer valid. Null: they are. */
            problem: string | null;
            /** @description The variables that every call must provide. */
            required_variables: string[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        AgentEnvelope: {
            /** @description The agent. */
            agent: components["schemas"]["Agent"];
        };
        AgentSummary: {
            /**
             * Format: uuid
             * @description Identifies the agent.
             */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description What conducts its calls. Null: its settings are no longer valid. */
            driver: ("scripted" | "realtime" | "cascade") | null;
            /** @description The version that new calls use. */
            version: number;
            /** @description False: another account granted access to it, and only that account may change it. */
            owned: boolean;
            /** @description Why the settings are no longer valid. Null: they are. */
            problem: string | null;
            /** @description The variables that every call must provide. */
            required_variables: string[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        AgentList: {
            /** @description Oldest first. */
            agents: components["schemas"]["AgentSummary"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the next page. Null: this is the last page. */
            next_cursor: string | null;
        };
        AgentVersion: {
            /** @description Its number. The first version is 1. */
            version: number;
            /** @description The agent’s name in this version. Null: it cannot be read. */
            name: string | null;
            /** @description The member who saved it. Null: an API key or an operator did. */
            saved_by: string | null;
            /**
             * Format: date-time
             * @description When it was saved.
             */
            created_at: string;
        };
        AgentVersionList: {
            /** @description Newest first. */
            versions: components["schemas"]["AgentVersion"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the next page. Null: this is the last page. */
            next_cursor: string | null;
        };
        AgentVersionDetail: {
            /** @description Its number. The first version is 1. */
            version: number;
            /** @description The agent’s name in this version. Null: it cannot be read. */
            name: string | null;
            /** @description The member who saved it. Null: an API key or an operator did. */
            saved_by: string | null;
            /**
             * Format: date-time
             * @description When it was saved.
             */
            created_at: string;
            /** @description Null: another account’s agent, or settings that are no longer valid. */
            settings: components["schemas"]["AgentSettings"] | null;
            /** @description Why the settings are no longer valid. Null: they are. */
            problem: string | null;
        };
        AgentVersionEnvelope: {
            /** @description The version. */
            version: components["schemas"]["AgentVersionDetail"];
        };
        PricedModel: {
            /**
             * @description What the model does in a call.
             * @enum {string}
             */
            component: "realtime" | "stt" | "llm" | "tts";
            /**
             * @description Whose model it is.
             * @enum {string}
             */
            provider: "openai" | "openai_live" | "deepgram" | "elevenlabs" | "cartesia" | "anthropic" | "google" | "azure" | "xai" | "openai_compatible" | "local";
            /** @description Its name in an agent’s settings. `*` at the end stands for any ending. */
            model: string;
            /** @description One for each unit. */
            prices: {
                /**
                 * @description What is counted.
                 * @enum {string}
                 */
                unit: "input_text_token" | "cached_input_text_token" | "input_audio_token" | "cached_input_audio_token" | "output_text_token" | "output_audio_token" | "second" | "character" | "request";
                /** @description Price of a million units, in the account’s currency. */
                unit_price: number;
            }[];
            /** @description What a minute of a call is expected to cost; a call’s hold covers it. */
            estimate_per_minute: number;
        };
        UsableProvider: {
            /**
             * @description A provider that an agent may name.
             * @enum {string}
             */
            provider: "openai" | "openai_live" | "deepgram" | "elevenlabs" | "cartesia" | "anthropic" | "google" | "azure" | "xai" | "openai_compatible" | "local";
            /**
             * @description Whose credential a call uses unless the agent names another. `account`: any model, and Outdial charges nothing for it.
             * @enum {string}
             */
            paid_by: "account" | "operator";
        };
        ModelList: {
            /** @description Of the prices. */
            currency: string;
            /** @description What the operator’s credentials offer, at a price. */
            models: components["schemas"]["PricedModel"][];
            /** @description The providers with a credential. */
            providers: components["schemas"]["UsableProvider"][];
        };
        Try: {
            /**
             * Format: uuid
             * @description Identifies the try.
             */
            id: string;
            /**
             * Format: uuid
             * @description The agent.
             */
            agent_id: string;
            /** @description Its version. */
            agent_version: number;
            /**
             * @description How the callee talks.
             * @enum {string}
             */
            medium: "text" | "microphone";
            /**
             * @description `waiting` until a worker has begun.
             * @enum {string}
             */
            status: "waiting" | "running" | "ended";
            /** @description Why it ended. Null until then. */
            ended_reason: ("ended_by_user" | "agent_hangup" | "time_over" | "idle" | "funds_spent" | "insufficient_funds" | "provider_unavailable" | "provider_rejected" | "worker_lost" | "connection_lost" | "not_started") | null;
            /** @description So far, in the account’s currency; final once it has ended. */
            cost: number;
            /** @description Of the account. */
            currency: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it ends at the latest.
             */
            expires_at: string;
        };
        TryEnvelope: {
            /** @description The try. */
            try: components["schemas"]["Try"];
        };
        Account: {
            /**
             * Format: uuid
             * @description Identifies the account.
             */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description In units of `currency`, at most six decimals. */
            wallet: {
                /** @description Top-ups minus the cost of ended calls. */
                balance: number;
                /** @description Reserved for open calls. */
                held: number;
                /** @description Balance minus held: what new calls may reserve. */
                available: number;
                /** @description ISO 4217. */
                currency: string;
            };
            /** @description A call is open from its creation to its end. */
            capacity: {
                /** @description Calls that may be open at once. */
                limit: number;
                /** @description Calls that are open now. */
                in_use: number;
            };
        };
        AccountEnvelope: {
            account: components["schemas"]["Account"];
        };
        LedgerEntry: {
            /** @description Increases with time. */
            id: string;
            /**
             * @description What changed the balance.
             * @enum {string}
             */
            kind: "top_up" | "call_charge" | "analysis_charge" | "try_charge";
            /** @description In units of the account’s currency, at most six decimals. A charge is negative. */
            amount: number;
            /** @description The balance after this entry. */
            balance_after: number;
            /** @description Of a charge for a call: the call. */
            call_id: string | null;
            /** @description Of a try: the agent’s name in the version that was tried. */
            agent_name: string | null;
            /** @description Of a call: the called number. */
            to_number: string | null;
            /** @description Of a call: the billed seconds. */
            billable_seconds: number | null;
            /**
             * Format: date-time
             * @description When it was booked.
             */
            created_at: string;
        };
        LedgerPage: {
            /** @description Newest first. */
            entries: components["schemas"]["LedgerEntry"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the next page. Null: this is the last page. */
            next_cursor: string | null;
        };
        PhoneNumber: {
            /**
             * Format: uuid
             * @description Identifies the number.
             */
            id: string;
            /** @description The number in E.164. */
            number: string;
            /** @description False: the operator has withdrawn it. */
            active: boolean;
            /** @description Whether calls may come from it. */
            outbound_enabled: boolean;
            /** @description Calls without `from_number` come from it. */
            is_default: boolean;
            /**
             * Format: date-time
             * @description When the account received it.
             */
            created_at: string;
        };
        PhoneNumberList: {
            /** @description The default first. */
            phone_numbers: components["schemas"]["PhoneNumber"][];
        };
        ApiKey: {
            /**
             * Format: uuid
             * @description Identifies the key. It is not secret.
             */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description Its first characters, by which people tell keys apart. */
            shown_prefix: string;
            /** @description What the key may do. */
            scopes: ("outbound" | "manage")[];
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description When it was last used, to within a minute or so. Null: never. */
            last_used_at: string | null;
            /** @description When it stops working. Null: never. */
            expires_at: string | null;
            /** @description When it was revoked. Null: it was not. */
            revoked_at: string | null;
        };
        ApiKeyEnvelope: {
            /** @description The key. */
            api_key: components["schemas"]["ApiKey"];
        };
        ApiKeyList: {
            /** @description Newest first. A revoked key stays listed for 30 days. */
            api_keys: components["schemas"]["ApiKey"][];
        };
        CreatedApiKey: {
            /** @description The new key. */
            api_key: components["schemas"]["ApiKey"];
            /** @description The key itself. It is in this response alone, and never again. */
            value: string;
        };
        Credential: {
            /**
             * Format: uuid
             * @description Identifies the credential.
             */
            id: string;
            /**
             * @description Whose key it is.
             * @enum {string}
             */
            provider: "openai" | "openai_live" | "deepgram" | "elevenlabs" | "cartesia" | "anthropic" | "google" | "azure" | "xai" | "openai_compatible" | "local";
            /** @description Its name, unique in the account. */
            name: string;
            /** @description Its own address. Null: the provider’s. */
            base_url: string | null;
            /** @description The provider’s region. Null: the global address. */
            region: string | null;
            /** @description The last four characters of the key. Empty for a short key. */
            shown_suffix: string;
            /** @description The most calls at once. Null: 50 for hearing by Deepgram, 100 for xAI, 10 for `local`, else 1,000. */
            max_concurrent_calls: number | null;
            /** @description The most calls that start in a second. Null: 1,000. */
            starts_per_second: number | null;
            /** @description The most texts that its voices speak at once, in each worker. Null: no limit. Other models have none. */
            max_generations: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its key was set.
             */
            rotated_at: string;
            /** @description When this key was last checked. */
            checked_at: string | null;
            /** @description What that check found. `rejected`: calls wait until the key is rotated, or a check finds it accepted. */
            check_result: ("ok" | "rejected" | "unreachable" | "no_such_model") | null;
        };
        CredentialEnvelope: {
            credential: components["schemas"]["Credential"];
        };
        CredentialList: {
            /** @description Oldest first. */
            credentials: components["schemas"]["Credential"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the next page. Null: this is the last page. */
            next_cursor: string | null;
        };
        CheckedCredential: {
            credential: components["schemas"]["Credential"];
            /** @description This check. */
            check: {
                /**
                 * @description What the check found.
                 * @enum {string}
                 */
                result: "ok" | "rejected" | "unreachable" | "no_such_model";
                /** @description For people. Never a text of the provider. */
                message: string;
            };
        };
        Secret: {
            /** @description Tools of agents name it: `{{secret.NAME}}`. */
            name: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When its value was set.
             */
            updated_at: string;
        };
        SecretEnvelope: {
            secret: components["schemas"]["Secret"];
        };
        SecretList: {
            /** @description By name. */
            secrets: components["schemas"]["Secret"][];
        };
        Scenario: {
            /** @description Shown in the report. Each scenario has another name. */
            name: string;
            /** @description The simulated callee. */
            persona: {
                /** @constant */
                kind: "scripted";
                /**
                 * @description Said in order, one after each turn of the agent. After the last one the persona hangs up.
                 * @default []
                 */
                lines: string[];
                /** @default [] */
                rules: {
                    /** @description Words of the agent, whatever their case and punctuation. */
                    when: string;
                    /** @description What the persona then says instead of its next line. Each rule is used once. */
                    say: string;
                }[];
            } | {
                /** @constant */
                kind: "model";
                /** @description Who the person is, what the person wants, and how the person talks. */
                prompt: string;
                /** @description The model that plays the person. If omitted: the model that judges. */
                llm?: {
                    /** @enum {string} */
                    provider: "openai" | "anthropic" | "google" | "openai_compatible" | "local";
                    model: string;
                    credential?: string;
                    temperature?: number;
                    /** @default 300 */
                    max_output_tokens: number;
                };
            };
            /** @description Texts for the {{name}} placeholders of the agent’s script, at most 64 of them and 8192 bytes in UTF-8, names and texts together. */
            variables?: {
                [key: string]: string;
            };
            /** @description All must be met. If omitted: the success criteria of the agent’s analysis. */
            criteria?: {
                /** @description What the conversation must show. `{{name}}` stands for a variable. */
                criteria: string;
                /**
                 * @description As in the analysis of a call.
                 * @default boolean
                 * @enum {string}
                 */
                scale: "boolean" | "1-10";
                /** @description With the scale `1-10`: the lowest grade that passes; default 7. */
                passes_from?: number;
            }[];
            /**
             * @description By the name of an HTTP or MCP tool: what the agent reads as its result. Tools are not called; without a result here, the agent reads that the action was simulated.
             * @default {}
             */
            tool_results: {
                [key: string]: string;
            };
            /**
             * @description How often the persona speaks at most; default 10.
             * @default 10
             */
            max_turns: number;
        };
        Scenarios: {
            /** @description In the order in which they were saved. */
            scenarios: components["schemas"]["Scenario"][];
        };
        EvaluationRun: {
            /** @description As it was when the evaluation began. */
            scenario: components["schemas"]["Scenario"];
            /**
             * @description `waiting` until a worker has begun.
             * @enum {string}
             */
            status: "waiting" | "running" | "ended";
            /** @description `errored`: it could not be judged. Null until it has ended. */
            verdict: ("passed" | "failed" | "errored") | null;
            /** @description Why it is `errored`. Null otherwise. */
            problem: ("insufficient_funds" | "no_credential" | "provider_unavailable" | "provider_rejected" | "answer_unusable" | "settings_unusable" | "not_started" | "worker_lost" | "cancelled") | null;
            /** @description How the conversation ended. Null: it did not take place. */
            ended_reason: ("agent_hangup" | "persona_hangup" | "max_turns" | "time_over") | null;
            /** @description By criterion. Empty without a judgment. */
            judgments: {
                /** @description What was judged. */
                criteria: string;
                /** @description Whether the conversation meets it. */
                passed: boolean;
                /** @description True or false, or 1 to 10, as the criterion asks. */
                value: boolean | number;
                /** @description Why, in a sentence. */
                reason: string;
            }[];
            /** @description What both sides said, and the tools of the agent, in order. */
            transcript: ({
                /** @constant */
                kind: "agent";
                text: string;
            } | {
                /** @constant */
                kind: "callee";
                text: string;
            } | {
                /** @constant */
                kind: "tool";
                name: string;
                arguments: {
                    [key: string]: unknown;
                };
                result: string | null;
                /** @enum {string} */
                outcome: "ok" | "failed" | "refused";
            })[];
            /** @description So far, in the account’s currency; final once it has ended. */
            cost: number;
            /** @description When a worker began it. */
            started_at: string | null;
            /** @description When it ended. */
            ended_at: string | null;
        };
        EvaluationSummary: {
            /**
             * Format: uuid
             * @description Identifies the evaluation.
             */
            id: string;
            /**
             * Format: uuid
             * @description The agent.
             */
            agent_id: string;
            /** @description Its version. */
            agent_version: number;
            /**
             * @description `ended` once all conversations have.
             * @enum {string}
             */
            status: "waiting" | "running" | "ended" | "cancelled";
            /** @description `failed` if one conversation failed, else `errored` if one could not be judged. Null until all have ended. */
            verdict: ("passed" | "failed" | "errored") | null;
            /** @description Conversations by verdict. */
            counts: {
                scenarios: number;
                passed: number;
                failed: number;
                errored: number;
            };
            /** @description The model that judges. */
            llm: {
                /** @enum {string} */
                provider: "openai" | "openai_compatible" | "local";
                model: string;
                credential?: string;
                temperature?: number;
                /** @default 1000 */
                max_output_tokens: number;
            };
            /** @description Of all conversations so far. */
            cost: number;
            /** @description Of the account. */
            currency: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            created_at: string;
            /** @description When its last conversation ended. */
            ended_at: string | null;
        };
        Evaluation: {
            /**
             * Format: uuid
             * @description Identifies the evaluation.
             */
            id: string;
            /**
             * Format: uuid
             * @description The agent.
             */
            agent_id: string;
            /** @description Its version. */
            agent_version: number;
            /**
             * @description `ended` once all conversations have.
             * @enum {string}
             */
            status: "waiting" | "running" | "ended" | "cancelled";
            /** @description `failed` if one conversation failed, else `errored` if one could not be judged. Null until all have ended. */
            verdict: ("passed" | "failed" | "errored") | null;
            /** @description Conversations by verdict. */
            counts: {
                scenarios: number;
                passed: number;
                failed: number;
                errored: number;
            };
            /** @description The model that judges. */
            llm: {
                /** @enum {string} */
                provider: "openai" | "openai_compatible" | "local";
                model: string;
                credential?: string;
                temperature?: number;
                /** @default 1000 */
                max_output_tokens: number;
            };
            /** @description Of all conversations so far. */
            cost: number;
            /** @description Of the account. */
            currency: string;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            created_at: string;
            /** @description When its last conversation ended. */
            ended_at: string | null;
            /** @description One for each scenario, in order. */
            runs: components["schemas"]["EvaluationRun"][];
        };
        EvaluationEnvelope: {
            /** @description The evaluation. */
            evaluation: components["schemas"]["Evaluation"];
        };
        EvaluationList: {
            /** @description Newest first. */
            evaluations: components["schemas"]["EvaluationSummary"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the next page. Null: this is the last page. */
            next_cursor: string | null;
        };
        CallingPolicy: {
            /**
             * @description The built-in rules that it began with, as a note. It changes nothing.
             * @default null
             */
            pack: ("open" | "standard" | "us") | null;
            /**
             * @description When calls may be dialed, by the callee’s local clock. The row `default` holds everywhere; a row of a country or region (ISO 3166: `GB`, `US-FL`) holds there besides, so that what either closes is closed. Each row has the times of each day, from `00:00` to `24:00`; a day without times is closed. Without rows, every hour is open.
             * @default {}
             */
            windows: {
                [key: string]: {
                    /** @default [] */
                    mon: string[];
                    /** @default [] */
                    tue: string[];
                    /** @default [] */
                    wed: string[];
                    /** @default [] */
                    thu: string[];
                    /** @default [] */
                    fri: string[];
                    /** @default [] */
                    sat: string[];
                    /** @default [] */
                    sun: string[];
                };
            };
            /**
             * @description Dates on which no call is dialed, by the callee’s local calendar.
             * @default []
             */
            closed_days: string[];
            /**
             * @description `callee_time_zone` of a request is taken instead of the zones of the number. Otherwise it is added to them: all must be open.
             * @default false
             */
            trust_given_zone: boolean;
            /**
             * @description How often one number is called. A call counts when it may be dialed, whatever becomes of it.
             * @default []
             */
            caps: {
                /** @description The length of the period, which ends with the dial. */
                hours: number;
                /** @description How many calls to one number are dialed in such a period at most. */
                max: number;
            }[];
            /** @description Rises with each change. 0: the account never had a policy, and calls at any hour. */
            version: number;
            /** @description Who saved it: the name of a member or a key, `operator`, or `default`. Null for version 0. */
            saved_by: string | null;
            /** @description From then on it is asked before each dial. */
            saved_at: string | null;
        };
        CallingPolicyEnvelope: {
            calling_policy: components["schemas"]["CallingPolicy"];
            /** @description The operator’s rules, which hold besides the account’s own. Null: there are none. */
            floor: {
                /**
                 * @description The built-in rules that it began with, as a note. It changes nothing.
                 * @default null
                 */
                pack: ("open" | "standard" | "us") | null;
                /**
                 * @description When calls may be dialed, by the callee’s local clock. The row `default` holds everywhere; a row of a country or region (ISO 3166: `GB`, `US-FL`) holds there besides, so that what either closes is closed. Each row has the times of each day, from `00:00` to `24:00`; a day without times is closed. Without rows, every hour is open.
                 * @default {}
                 */
                windows: {
                    [key: string]: {
                        /** @default [] */
                        mon: string[];
                        /** @default [] */
                        tue: string[];
                        /** @default [] */
                        wed: string[];
                        /** @default [] */
                        thu: string[];
                        /** @default [] */
                        fri: string[];
                        /** @default [] */
                        sat: string[];
                        /** @default [] */
                        sun: string[];
                    };
                };
                /**
                 * @description Dates on which no call is dialed, by the callee’s local calendar.
                 * @default []
                 */
                closed_days: string[];
                /**
                 * @description `callee_time_zone` of a request is taken instead of the zones of the number. Otherwise it is added to them: all must be open.
                 * @default false
                 */
                trust_given_zone: boolean;
                /**
                 * @description How often one number is called. A call counts when it may be dialed, whatever becomes of it.
                 * @default []
                 */
                caps: {
                    /** @description The length of the period, which ends with the dial. */
                    hours: number;
                    /** @description How many calls to one number are dialed in such a period at most. */
                    max: number;
                }[];
            } | null;
        };
        CallingPolicyVersions: {
            /** @description Newest first. */
            versions: components["schemas"]["CallingPolicy"][];
            /** @description There are older versions. */
            has_more: boolean;
            /** @description Pass it as `cursor` to read on. */
            next_cursor: string | null;
        };
        CallingPolicyCheck: {
            /** @description As in the request. */
            number: string;
            /**
             * @description What a request for a call would be answered.
             * @enum {string}
             */
            verdict: "allowed" | "outside_calling_window" | "frequency_capped";
            /** @description Each time zone in which the callee may be, its clock at that moment, and whether calls are open there. */
            zones: {
                zone: string;
                local_time: string;
                open: boolean;
            }[];
            /** @description The countries and regions in which the callee may be (ISO 3166). `US-*`: in any region of the country. */
            regions: string[];
            /** @description The number, or `callee_time_zone`, says where the callee is. */
            certain: boolean;
            /** @description When all zones are open next, if they are not. Null: they are, or it is not within 90 days. */
            opens_at: string | null;
            /** @description When the first zone closes, if all are open. Null: it is not within 90 days. */
            closes_at: string | null;
            /** @description When the number may be called again. Null: no cap is reached. */
            capped_until: string | null;
            /** @description The version that was asked. */
            policy_version: number;
        };
        CampaignColumns: {
            /** @description The column of the numbers. */
            to_number?: string;
            /** @description The column of the callees’ time zones. */
            time_zone?: string;
            /** @description The column of each variable of the agent. */
            variables?: {
                [key: string]: string;
            };
            /** @description The column of each metadata field. */
            metadata?: {
                [key: string]: string;
            };
        };
        CampaignWindow: {
            /** @description The time zone of these hours (IANA, such as `America/New_York`). */
            time_zone: string;
            /** @description The hours of each day; a day without any is closed. */
            days: {
                /** @default [] */
                mon: string[];
                /** @default [] */
                tue: string[];
                /** @default [] */
                wed: string[];
                /** @default [] */
                thu: string[];
                /** @default [] */
                fri: string[];
                /** @default [] */
                sat: string[];
                /** @default [] */
                sun: string[];
            };
        };
        CampaignProgress: {
            /** @description Accepted contacts. */
            contacts: number;
            /** @description Contacts without a call. */
            remaining: number;
            /** @description Scheduled calls: first attempts and retries. */
            waiting: number;
            /** @description Calls that are queued, dialing or talking. */
            open: number;
            /** @description Contacts whose last call has ended. */
            done: number;
            /** @description Contacts of a campaign that is over, without a call. */
            not_dialled: number;
            /** @description How the last calls of the contacts that are done ended. */
            by_reason: {
                [key: string]: number;
            };
            /** @description Calls that were answered. */
            answered: number;
            /** @description Answered calls, of all that ended. Null: none has. */
            answer_rate: number | null;
            /** @description What its calls have cost, in the currency of the account. */
            cost: number;
            /** @description Of the budget. Null: it has none. */
            spent_percent: number | null;
            /** @description Calls that ended in the last minute. */
            calls_last_minute: number;
            /** @description Why it calls no more at the moment: `funds`, `capacity` (slots, or trunks), `window` (its own hours, or those of the next callees), `cap`, `budget`, `provider` (of its agent’s models, or a credential that is missing) or `account` (it is disabled); of a paused campaign `budget` if that is why. Null: it does, or it does not run. */
            held_by: ("funds" | "capacity" | "window" | "cap" | "budget" | "provider" | "account") | null;
            /** @description When it will be done at this rate. Null: it is not known yet, or it is held up. */
            estimated_finish_at: string | null;
        };
        Campaign: {
            /**
             * Format: uuid
             * @description Identifies the campaign.
             */
            id: string;
            /**
             * @description Where it stands.
             * @enum {string}
             */
            state: "draft" | "scheduled" | "running" | "paused" | "cancelling" | "cancelled" | "completed";
            /** @description A name, at most 100 characters. */
            name: string;
            /** @description How many calls begin in a second at most; null: as many as there are slots. */
            calls_per_second: number | null;
            /** @description How many of its calls are open at once at most; null: as many as there are slots. */
            max_concurrent: number | null;
            /** @description Its part of the slots, beside other running campaigns. */
            weight: number;
            /** @description When it calls, besides the calling policy; null: at any time. */
            window: components["schemas"]["CampaignWindow"] | null;
            /** @description No call of it is dialed later; at most 365 days ahead. Null: it ends with its last contact. */
            ends_at: string | null;
            /** @description What its calls may cost at most, in the currency of the account; it is paused then. Null: no bound. */
            budget: number | null;
            /**
             * Format: uuid
             * @description The agent that conducts its calls, in the version of its start.
             */
            agent_id: string;
            /** @description As in a request for a call; null: the account’s default. */
            from_number: string | null;
            /** @description Which column of a file is what. */
            columns: components["schemas"]["CampaignColumns"];
            /** @description The country of numbers without a calling code; null: every number begins with a plus sign. */
            default_country: string | null;
            /** @description As in a request for a call; null: each contact is called once. */
            retry: {
                /** @description How many calls there may be in all, the first one included. */
                max_attempts: number;
                /** @description The ended reasons that are followed by a retry; `busy`, `no_answer` and `carrier_unavailable` unless given. After `worker_lost` and `reconciled_unknown` the callee’s telephone may have rung already. */
                on?: ("silence_timeout" | "voicemail_reached" | "call_screened" | "busy" | "no_answer" | "carrier_unavailable" | "queue_expired" | "outside_calling_window" | "frequency_capped" | "agent_error" | "provider_unavailable" | "no_audio" | "worker_lost" | "reconciled_unknown")[];
                /** @description From the end of a call to its retry, by attempt; the last one repeats. 900, 3600, 14400 unless given. */
                after_seconds?: number[];
            } | null;
            /** @description As in a request for a call; null: the default. */
            max_duration_seconds: number | null;
            /** @description As in a request for a call; null: the default. */
            ring_timeout_seconds: number | null;
            /** @description As in a request for a call; null: only the account’s endpoints. */
            webhook_url: string | null;
            /** @description Not before this time, at most 90 days ahead; null: at its start. */
            starts_at: string | null;
            /** @description Your own data, returned unchanged. */
            metadata: {
                [key: string]: unknown;
            };
            /** @description The version of the agent that conducts its calls. Null until it starts. */
            agent_version: number | null;
            /** @description Who created it: a member or a key. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description When it started. */
            started_at: string | null;
            /** @description When it was completed or cancelled. */
            ended_at: string | null;
            progress: components["schemas"]["CampaignProgress"];
        };
        CampaignEnvelope: {
            campaign: components["schemas"]["Campaign"];
        };
        CampaignList: {
            /** @description Newest first. */
            campaigns: components["schemas"]["Campaign"][];
            /** @description There are older campaigns. */
            has_more: boolean;
            /** @description Pass it as `cursor` to read on. */
            next_cursor: string | null;
        };
        CampaignContact: {
            /** @description The upload that it came with. */
            upload: number;
            /** @description Its line in the file, or its place in the request, from 1. */
            line: number;
            /** @description The number. */
            number: string;
            /** @description Its calls, the scheduled one included. */
            attempts: number;
            /** @description Its last call. Null: it has none. */
            call_id: string | null;
            /** @description Where that call stands. */
            call_status: ("scheduled" | "queued" | "dialing" | "ringing" | "in_progress" | "ended") | null;
            /** @description How its last call ended; `not_dialled` if the campaign is over without a call to it. Null: not yet known. */
            outcome: ("callee_hangup" | "agent_hangup" | "transferred" | "max_duration_reached" | "silence_timeout" | "voicemail_reached" | "call_screened" | "funds_exhausted" | "cancelled" | "hung_up_by_api" | "busy" | "no_answer" | "declined" | "invalid_destination" | "carrier_rejected" | "carrier_unavailable" | "connection_lost" | "queue_expired" | "schedule_expired" | "not_permitted" | "suppressed" | "outside_calling_window" | "frequency_capped" | "opted_out" | "agent_error" | "provider_unavailable" | "provider_rejected" | "no_audio" | "worker_lost" | "reconciled_unknown" | "not_dialled") | null;
        };
        CampaignContactList: {
            /** @description In the order of the uploads and their lines. */
            contacts: components["schemas"]["CampaignContact"][];
            /** @description There are more contacts. */
            has_more: boolean;
            /** @description Pass it as `cursor` to read on. */
            next_cursor: string | null;
        };
        UploadProblem: {
            /** @description Counts from 1, the header included. */
            line: number;
            /** @description The column, as the header names it. */
            column: string;
            /** @description What stands there, its digits masked, cut to 40 characters. */
            value: string;
            /** @description What is wrong with it. */
            message: string;
        };
        CampaignUploadEnvelope: {
            upload: {
                /** @description Counts the uploads of the campaign from 1. */
                number: number;
                /**
                 * @description `ready`: its contacts are called.
                 * @enum {string}
                 */
                state: "receiving" | "ready" | "failed";
                /** @description The name of the file, if it was given. */
                file_name: string | null;
                /** @description Lines with a contact, or with something in its place. */
                rows: number;
                /** @description Contacts that were added. */
                accepted: number;
                /** @description Numbers that the campaign had already. */
                duplicates: number;
                /** @description Lines that are no contact. */
                invalid: number;
                /** Format: date-time */
                started_at: string;
                ended_at: string | null;
                /** @description Why it failed. */
                error: string | null;
                /** @description The first 100 lines that are no contact. */
                errors: components["schemas"]["UploadProblem"][];
            };
        };
        Suppression: {
            /**
             * Format: uuid
             * @description Identifies the entry.
             */
            id: string;
            /** @description The number that is not called. */
            number: string;
            /**
             * @description `opt_out`: the person asked for it; only the operator lifts it. `manual`: a member, a program or the operator put the number on the list.
             * @enum {string}
             */
            kind: "opt_out" | "manual";
            /**
             * @description Where the entry comes from.
             * @enum {string}
             */
            source: "call" | "api" | "dashboard" | "import" | "operator";
            /** @description Why, if a reason was given. */
            reason: string | null;
            /** @description The call in which the person opted out. */
            call_id: string | null;
            /**
             * Format: date-time
             * @description No dial to the number begins more than a second later.
             */
            created_at: string;
        };
        SuppressionEnvelope: {
            suppression: components["schemas"]["Suppression"];
        };
        CreatedSuppressions: {
            /** @description How many of the numbers were not on the list before. */
            added: number;
            /** @description The entries of all these numbers, new or not, by number. */
            suppressions: components["schemas"]["Suppression"][];
        };
        SuppressionList: {
            /** @description Newest first. */
            suppressions: components["schemas"]["Suppression"][];
            /** @description There are older entries. */
            has_more: boolean;
            /** @description Pass it as `cursor` to read on. */
            next_cursor: string | null;
        };
        SuppressionCheck: {
            /** @description As in the request. */
            number: string;
            /** @description A call to the number would be refused. */
            suppressed: boolean;
            /** @description Whose list the number is on. `platform`: the operator’s, for all accounts. */
            by: ("account" | "platform") | null;
            /** @description The entry of the account’s own list. */
            suppression: components["schemas"]["Suppression"] | null;
        };
        SuppressionChecks: {
            /** @description One for each number of the request, in its order. */
            results: components["schemas"]["SuppressionCheck"][];
        };
        SuppressionProblem: {
            /** @description Counts from 1, the header included. */
            line: number;
            /** @description What stands there, cut to 40 characters. */
            value: string;
            /** @description What is wrong with it. */
            message: string;
        };
        SuppressionImport: {
            /** @description Lines with a number, or with something in its place. */
            lines: number;
            /** @description Numbers that were not on the list before. */
            added: number;
            /** @description Numbers that were on the list, or twice in the file. */
            already_listed: number;
            /** @description Lines without a valid number. The others were added all the same. */
            invalid: number;
            /** @description The first 100 invalid lines. */
            problems: components["schemas"]["SuppressionProblem"][];
        };
        WebhookEndpoint: {
            /**
             * Format: uuid
             * @description Identifies the endpoint.
             */
            id: string;
            /** @description Where webhooks are sent. */
            url: string;
            /** @description The types that it receives. Empty: all. */
            events: string[];
            /** @description Your own words. */
            description: string;
            /** @description The most requests per second. Null: no limit. */
            rate_per_second: number | null;
            /**
             * @description A disabled endpoint receives nothing.
             * @enum {string}
             */
            state: "enabled" | "disabled";
            /** @description `failing`: no success for five days, and at least 20 failures. `gone`: it answered 410. Null: it is enabled. */
            disabled_reason: ("owner" | "failing" | "gone" | "operator") | null;
            /** @description Null: it is enabled. */
            disabled_at: string | null;
            /** @description The shape of the bodies: the version of the day it was created, unless changed. */
            api_version: string;
            /**
             * Format: date-time
             * @description When its secret was made.
             */
            secret_made_at: string;
            /** @description Until then the previous secret signs too. Null: only one signs. */
            previous_secret_until: string | null;
            /** @description Attempts that failed since the last success. */
            failures_in_a_row: number;
            /** @description Null: the last attempt succeeded, or none was made. */
            failing_since: string | null;
            /** @description To the minute. Null: none yet. */
            last_success_at: string | null;
            /** @description The latest failure. Null: the last attempt succeeded. */
            last_error: {
                /** @description The HTTP status of the response. Null: there was none. */
                status: number | null;
                /**
                 * @description What went wrong.
                 * @enum {string}
                 */
                error: "timeout" | "dns" | "refused_address" | "connect" | "tls" | "reset" | "too_large" | "status" | "secret" | "body";
            } | null;
            /** @description The replay that is under way. */
            running_replay_id: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        WebhookEndpointEnvelope: {
            endpoint: components["schemas"]["WebhookEndpoint"];
        };
        WebhookEndpointList: {
            /** @description Oldest first; an account has at most 20. */
            endpoints: components["schemas"]["WebhookEndpoint"][];
        };
        CreatedWebhookEndpoint: {
            endpoint: components["schemas"]["WebhookEndpoint"];
            /** @description `whsec_` and base64. This is the only response that contains it. */
            secret: string;
        };
        RotatedWebhookSecret: {
            /** @description `whsec_` and base64. This is the only response that contains it. */
            secret: string;
            /** @description Until then the old secret signs too. Null: it has ended. */
            previous_until: string | null;
        };
        PerCallWebhookSecret: {
            /** @description When the secret for URLs of calls was made. Null: there is none yet. */
            made_at: string | null;
            /** @description Until then the old secret signs too. Null: it has ended. */
            previous_until: string | null;
        };
        MadePerCallWebhookSecret: {
            /** @description `whsec_` and base64. This is the only response that contains it. */
            secret: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            made_at: string;
            /** @description Until then the old secret signs too. Null: it has ended. */
            previous_until: string | null;
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description The message. Receivers see it as `webhook-id: msg_<message_id>`.
             */
            message_id: string;
            /**
             * Format: uuid
             * @description The endpoint.
             */
            endpoint_id: string;
            /** @description The type of the message. */
            type: string;
            /** @description The call that it is about. Null: it is about none. */
            call_id: string | null;
            /** @description The campaign that it is about. Null: it is about none. */
            campaign_id: string | null;
            /**
             * @description `failed`: all attempts failed. `dropped`: its endpoint was disabled or deleted first.
             * @enum {string}
             */
            state: "pending" | "delivered" | "failed" | "dropped";
            /** @description Attempts so far, counted before each is made. */
            attempt_count: number;
            /** @description The HTTP status of the last response. Null: there was none. */
            last_status: number | null;
            /** @description Why the last attempt failed. Null: it did not. */
            last_error: ("timeout" | "dns" | "refused_address" | "connect" | "tls" | "reset" | "too_large" | "status" | "secret" | "body") | null;
            /** @description When it is tried next, at the earliest. Null: it is not pending. */
            next_attempt_at: string | null;
            /** @description When the receiver answered 2xx. */
            delivered_at: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        WebhookDeliveryEnvelope: {
            delivery: components["schemas"]["WebhookDelivery"];
        };
        WebhookDeliveryList: {
            /** @description Newest first. */
            deliveries: components["schemas"]["WebhookDelivery"][];
            /** @description Whether there is another page. */
            has_more: boolean;
            /** @description Pass it as `cursor` to get the next page. Null: this is the last page. */
            next_cursor: string | null;
        };
        WebhookAttempt: {
            /** @description Counts from 1. */
            number: number;
            /**
             * Format: date-time
             * @description When the request was sent.
             */
            started_at: string;
            /** @description Until the response was read, or the attempt failed. */
            duration_ms: number;
            /** @description The HTTP status of the response. Null: there was none. */
            status: number | null;
            /** @description Why it failed. Null: it did not. */
            error: ("timeout" | "dns" | "refused_address" | "connect" | "tls" | "reset" | "too_large" | "status" | "secret" | "body") | null;
            /** @description At most ten of its headers, without cookies. */
            response_headers: {
                [key: string]: string;
            };
            /** @description Its first 2 KiB. Null: there was none. */
            response_body: string | null;
        };
        WebhookMessage: {
            /**
             * Format: uuid
             * @description Identifies the message.
             */
            id: string;
            /** @description Its type. */
            type: string;
            /** @description The call that it is about. Null: it is about none. */
            call_id: string | null;
            /** @description The campaign that it is about. Null: it is about none. */
            campaign_id: string | null;
            /**
             * Format: date-time
             * @description When the event happened.
             */
            occurred_at: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description The JSON in its newest shape. Null until the first attempt. */
            body: string | null;
        };
        WebhookMessageEnvelope: {
            message: components["schemas"]["WebhookMessage"];
        };
        WebhookMessageDetail: {
            message: components["schemas"]["WebhookMessage"];
            /** @description One for each endpoint that receives it. */
            deliveries: {
                /**
                 * Format: uuid
                 * @description The message. Receivers see it as `webhook-id: msg_<message_id>`.
                 */
                message_id: string;
                /**
                 * Format: uuid
                 * @description The endpoint.
                 */
                endpoint_id: string;
                /** @description The type of the message. */
                type: string;
                /** @description The call that it is about. Null: it is about none. */
                call_id: string | null;
                /** @description The campaign that it is about. Null: it is about none. */
                campaign_id: string | null;
                /**
                 * @description `failed`: all attempts failed. `dropped`: its endpoint was disabled or deleted first.
                 * @enum {string}
                 */
                state: "pending" | "delivered" | "failed" | "dropped";
                /** @description Attempts so far, counted before each is made. */
                attempt_count: number;
                /** @description The HTTP status of the last response. Null: there was none. */
                last_status: number | null;
                /** @description Why the last attempt failed. Null: it did not. */
                last_error: ("timeout" | "dns" | "refused_address" | "connect" | "tls" | "reset" | "too_large" | "status" | "secret" | "body") | null;
                /** @description When it is tried next, at the earliest. Null: it is not pending. */
                next_attempt_at: string | null;
                /** @description When the receiver answered 2xx. */
                delivered_at: string | null;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                created_at: string;
                /** @description In their order. */
                attempts: components["schemas"]["WebhookAttempt"][];
            }[];
        };
        WebhookReplay: {
            /**
             * Format: uuid
             * @description Identifies the replay.
             */
            id: string;
            /**
             * Format: uuid
             * @description The endpoint.
             */
            endpoint_id: string;
            /**
             * Format: date-time
             * @description Events from this time on.
             */
            since: string;
            /**
             * Format: date-time
             * @description Events before this time.
             */
            until: string;
            /** @description The types. Empty: all that the endpoint receives. */
            events: string[];
            /**
             * @description What it sends.
             * @enum {string}
             */
            only: "failed" | "missing" | "failed_and_missing" | "all";
            /**
             * @description `done`: every event of the time was looked at.
             * @enum {string}
             */
            state: "running" | "done" | "cancelled";
            /** @description Deliveries that it made pending so far. */
            replayed: number;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        WebhookReplayEnvelope: {
            replay: components["schemas"]["WebhookReplay"];
        };
        WebhookListener: {
            /**
             * Format: uuid
             * @description Identifies the listener. In the log of deliveries it is the endpoint.
             */
            id: string;
            /** @description The types that it receives. Empty: all. */
            events: string[];
            /** @description The shape of the bodies. */
            api_version: string;
            /**
             * Format: date-time
             * @description When it ends, unless a stream holds it open.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
        };
        CreatedWebhookListener: {
            listener: components["schemas"]["WebhookListener"];
            /** @description `whsec_` and base64. This is the only response that contains it. */
            secret: string;
        };
        ListenerWebhook: {
            /**
             * Format: uuid
             * @description The message. Receivers see it as `webhook-id: msg_<message_id>`.
             */
            message_id: string;
            /** @description Counts from 1. The result of this attempt names it. */
            attempt: number;
            /** @description The type of the message. */
            type: string;
            /** @description The call that it is about. */
            call_id: string | null;
            /** @description The headers of the request, signed now. */
            headers: {
                [key: string]: string;
            };
            /** @description The body of the request. Forward it unchanged: it is what was signed. */
            body: string;
        };
        CallWebhook: {
            /**
             * @description What happened to the call.
             * @enum {string}
             */
            type: "call.scheduled" | "call.queued" | "call.dialing" | "call.ringing" | "call.answered" | "call.answered_by" | "call.opted_out" | "call.ended" | "call.recording_ready" | "call.analyzed";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description An example that a person asked for: nothing happened.
             * @constant
             */
            test?: true;
            data: {
                /** @description The event of the timeline. Its id rises within a call. */
                event: components["schemas"]["CallEvent"];
                /** @description The call: never older than the event, and perhaps newer. */
                call: components["schemas"]["Call"];
                /** @description What a body of 256 KiB has no room for. Read the call instead. */
                omitted?: "call.transcript"[];
            };
        };
        CampaignWebhook: {
            /**
             * @description What happened to the campaign.
             * @enum {string}
             */
            type: "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.cancelled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description An example that a person asked for: nothing happened.
             * @constant
             */
            test?: true;
            data: {
                /** @description The campaign: never older than what happened, and perhaps newer. */
                campaign: components["schemas"]["Campaign"];
            };
        };
        EndpointDisabledWebhook: {
            /**
             * @description The service disabled an endpoint of the account.
             * @constant
             */
            type: "webhook.endpoint_disabled";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description An example that a person asked for: nothing happened.
             * @constant
             */
            test?: true;
            data: {
                endpoint: {
                    /**
                     * Format: uuid
                     * @description The endpoint that was disabled.
                     */
                    id: string;
                    /** @description Its URL. */
                    url: string;
                    /**
                     * @description `failing`: no success for five days, and at least 20 failures. `gone`: it answered 410.
                     * @enum {string}
                     */
                    disabled_reason: "owner" | "failing" | "gone" | "operator";
                    /**
                     * Format: date-time
                     * @description When it was disabled.
                     */
                    disabled_at: string;
                };
            };
        };
        TestWebhookBody: {
            /**
             * @description A person asked for a test.
             * @constant
             */
            type: "webhook.test";
            /**
             * Format: date-time
             * @description When it happened.
             */
            timestamp: string;
            /**
             * @description An example that a person asked for: nothing happened.
             * @constant
             */
            test?: true;
            /** @description Empty. */
            data: Record<string, never>;
        };
        Error: {
            error: {
                /**
                 * @description For programs.
                 * @enum {string}
                 */
                code: "missing_api_key" | "invalid_api_key" | "scope_missing" | "rate_limited" | "invalid_request" | "body_too_large" | "unsupported_media_type" | "agent_access_denied" | "provider_not_configured" | "model_not_priced" | "from_number_not_allowed" | "no_outbound_number" | "destination_not_allowed" | "suppressed" | "outside_calling_window" | "frequency_capped" | "insufficient_funds" | "capacity_exceeded" | "too_many_scheduled" | "no_trunk_available" | "idempotency_key_reused" | "idempotency_in_progress" | "service_unavailable" | "outcome_unknown" | "call_not_found" | "call_not_live" | "instruction_not_possible" | "agent_not_found" | "version_conflict" | "recording_not_available" | "credential_not_found" | "credential_exists" | "api_key_not_found" | "secret_not_found" | "secret_key_missing" | "try_not_found" | "try_over" | "try_not_possible" | "try_medium_differs" | "evaluation_not_found" | "evaluation_not_possible" | "suppression_not_found" | "opt_out_stands" | "too_many_suppressions" | "campaign_not_found" | "campaign_state" | "campaign_empty" | "upload_in_progress" | "too_many_campaigns" | "too_many_contacts" | "upload_not_found" | "upload_failed" | "lines_refused" | "webhook_endpoint_not_found" | "webhook_endpoint_disabled" | "webhook_endpoint_draining" | "webhook_message_not_found" | "webhook_listener_not_found" | "too_many_endpoints" | "rotation_in_progress" | "resend_limit_reached" | "replay_in_progress" | "replay_not_found" | "range_not_satisfiable" | "not_found" | "method_not_allowed" | "request_timeout" | "expectation_failed" | "headers_too_large" | "internal_error";
                /** @description For people. Says what to do next. */
                message: string;
                /** @description The invalid parameter, as a dotted path. */
                param?: string;
                /** @description Details that depend on the code. */
                details?: unknown;
                /** @description The same as `X-Request-Id`; identifies the request in the service’s log. */
                request_id: string;
            };
        };
    };
    responses: never;
    parameters: {
        /** @description Identifies the request in the service’s log. Generated if absent. */
        RequestId: string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the request in the service’s log. */
        "X-Request-Id": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listCalls: {
        parameters: {
            query?: {
                /** @description Only calls with this status. */
                status?: "scheduled" | "queued" | "dialing" | "ringing" | "in_progress" | "ended";
                /** @description Only calls of this agent. */
                agent_id?: string;
                /** @description Only calls of this campaign. */
                campaign_id?: string;
                /** @description Only calls to this number; the plus sign is sent as %2B. */
                to_number?: string;
                /** @description Only calls that ended for this reason. */
                ended_reason?: "callee_hangup" | "agent_hangup" | "transferred" | "max_duration_reached" | "silence_timeout" | "voicemail_reached" | "call_screened" | "funds_exhausted" | "cancelled" | "hung_up_by_api" | "busy" | "no_answer" | "declined" | "invalid_destination" | "carrier_rejected" | "carrier_unavailable" | "connection_lost" | "queue_expired" | "schedule_expired" | "not_permitted" | "suppressed" | "outside_calling_window" | "frequency_capped" | "opted_out" | "agent_error" | "provider_unavailable" | "provider_rejected" | "no_audio" | "worker_lost" | "reconciled_unknown";
                /** @description Only calls that match by part of the called number (at least three digits), by their id, or by a value of their metadata: `0100`, `order=1042`, `1042`. */
                search?: string;
                /** @description Only calls created after this time. */
                created_after?: string;
                /** @description Only calls created before this time. */
                created_before?: string;
                /** @description Calls per page; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of calls. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallList"];
                };
            };
        };
    };
    createCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the same key and body return the same call for as long as it is stored. */
                "Idempotency-Key"?: string;
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCall"];
            };
        };
        responses: {
            /** @description The call was accepted, now or earlier with this Idempotency-Key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallEnvelope"];
                };
            };
        };
    };
    getCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallEnvelope"];
                };
            };
        };
    };
    updateCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCall"];
            };
        };
        responses: {
            /** @description The call with its note. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallEnvelope"];
                };
            };
        };
    };
    endCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call had already ended and does not change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallEnvelope"];
                };
            };
            /** @description The call is ending, or was cancelled: a call that was scheduled or queued has already ended, at no cost. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallEnvelope"];
                };
            };
        };
    };
    instructCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InstructCall"];
            };
        };
        responses: {
            /** @description The model has it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InstructionEnvelope"];
                };
            };
        };
    };
    optOutCall: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OptOutCall"];
            };
        };
        responses: {
            /** @description The entry of the list. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionEnvelope"];
                };
            };
        };
    };
    listCallEvents: {
        parameters: {
            query?: never;
            header?: {
                /** @description For a stream: continue after this event. Must be the id of an event of the call. */
                "Last-Event-ID"?: string;
                /** @description For a stream: the `index` of the last turn that the client has. Without it, all turns of the call are sent again. */
                "Last-Turn-Index"?: string;
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The timeline. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallEventList"];
                    "text/event-stream": string;
                };
            };
            /** @description For a stream: the call has ended, `Last-Event-ID` is its last event, and no analysis is awaited. Do not reconnect. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getRecording: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes, such as `bytes=0-65535`. */
                Range?: string;
                /** @description Apply Range only if this is the ETag of the recording. */
                "If-Range"?: string;
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The call. */
                call_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recording. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": string;
                };
            };
            /** @description The part that Range selects. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "audio/wav": string;
                };
            };
        };
    };
    listCampaigns: {
        parameters: {
            query?: {
                /** @description Campaigns per page; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of campaigns. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignList"];
                };
            };
        };
    };
    createCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCampaign"];
            };
        };
        responses: {
            /** @description The draft. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
        };
    };
    getCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
        };
    };
    deleteCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The campaign was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCampaign"];
            };
        };
        responses: {
            /** @description The campaign. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
        };
    };
    startCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It has started before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
            /** @description It starts. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
        };
    };
    pauseCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is paused already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
            /** @description It is paused. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
        };
    };
    resumeCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It runs already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
            /** @description It runs again. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
        };
    };
    cancelCampaign: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelCampaign"];
            };
        };
        responses: {
            /** @description It is cancelled already. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
            /** @description It is being cancelled. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignEnvelope"];
                };
            };
        };
    };
    listContacts: {
        parameters: {
            query?: {
                /** @description Only contacts whose last call ended like this, with no retry to follow; `not_dialled`: those without a call, of a campaign that is over. */
                outcome?: "callee_hangup" | "agent_hangup" | "transferred" | "max_duration_reached" | "silence_timeout" | "voicemail_reached" | "call_screened" | "funds_exhausted" | "cancelled" | "hung_up_by_api" | "busy" | "no_answer" | "declined" | "invalid_destination" | "carrier_rejected" | "carrier_unavailable" | "connection_lost" | "queue_expired" | "schedule_expired" | "not_permitted" | "suppressed" | "outside_calling_window" | "frequency_capped" | "opted_out" | "agent_error" | "provider_unavailable" | "provider_rejected" | "no_audio" | "worker_lost" | "reconciled_unknown" | "not_dialled";
                /** @description Contacts per page; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of contacts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignContactList"];
                };
            };
        };
    };
    addContacts: {
        parameters: {
            query?: {
                /** @description The name of the file, for its list. */
                file_name?: string;
                /** @description Lines of a file that are no contact. `skip`: the others are added. `refuse`: one of them, and nothing is added. */
                on_invalid?: "skip" | "refuse";
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddContacts"];
                "text/csv": string;
            };
        };
        responses: {
            /** @description What was added, and the first 100 lines of a file that are no contact. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignUploadEnvelope"];
                };
            };
        };
    };
    getUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
                /** @description The number of the upload, from 1. */
                upload: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The upload. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CampaignUploadEnvelope"];
                };
            };
        };
    };
    getUploadErrors: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
                /** @description The number of the upload, from 1. */
                upload: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The lines. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    getCampaignResults: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The campaign. */
                campaign_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The contacts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
        };
    };
    listSuppressions: {
        parameters: {
            query?: {
                /** @description Entries per page; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
                /** @description Only entries of this number. Write the plus sign as `%2B`. */
                number?: string;
                /** @description Only entries of this kind. */
                kind?: "opt_out" | "manual";
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionList"];
                };
            };
        };
    };
    createSuppressions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSuppressions"];
            };
        };
        responses: {
            /** @description How many numbers were new, and the entries of all of them. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedSuppressions"];
                };
            };
        };
    };
    checkSuppressions: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckSuppressions"];
            };
        };
        responses: {
            /** @description One result for each number, in the order of the request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionChecks"];
                };
            };
        };
    };
    importSuppressions: {
        parameters: {
            query?: {
                /** @description The column of the numbers, as the first line names it. Without it, each line begins with its number, and a first line without a digit there is skipped. */
                column?: string;
                /** @description Why. Readers of the list see it. */
                reason?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "text/csv": string;
            };
        };
        responses: {
            /** @description What was added, and what is wrong with the rest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionImport"];
                };
            };
        };
    };
    deleteSuppression: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The entry. */
                suppression_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeleteSuppression"];
            };
        };
        responses: {
            /** @description The entry, which is no longer in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SuppressionEnvelope"];
                };
            };
        };
    };
    listAgents: {
        parameters: {
            query?: {
                /** @description Agents per page; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of agents, without their settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentList"];
                };
            };
        };
    };
    createAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAgent"];
            };
        };
        responses: {
            /** @description The new agent. Calls can use it at once. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentEnvelope"];
                };
            };
        };
    };
    getAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The agent. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentEnvelope"];
                };
            };
        };
    };
    updateAgent: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateAgent"];
            };
        };
        responses: {
            /** @description The agent at its new version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentEnvelope"];
                };
            };
        };
    };
    listAgentVersions: {
        parameters: {
            query?: {
                /** @description Versions per page; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions, without their settings. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersionList"];
                };
            };
        };
    };
    getAgentVersion: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
                /** @description The number of the version. */
                version: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The version. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AgentVersionEnvelope"];
                };
            };
        };
    };
    listModels: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The models and the providers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ModelList"];
                };
            };
        };
    };
    createTry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTry"];
            };
        };
        responses: {
            /** @description The try. Follow its events at once: the agent may speak first. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryEnvelope"];
                };
            };
        };
    };
    getTry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
                /** @description The try. */
                try_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The try. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryEnvelope"];
                };
            };
        };
    };
    sendTryMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
                /** @description The try. */
                try_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TryMessage"];
            };
        };
        responses: {
            /** @description The text is on its way to the agent. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryEnvelope"];
                };
            };
        };
    };
    endTry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
                /** @description The try. */
                try_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The try ends within a second; its events say when. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TryEnvelope"];
                };
            };
        };
    };
    followTry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Continue after this event. */
                "Last-Event-ID"?: string;
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
                /** @description The try. */
                try_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description The try has ended, and `Last-Event-ID` is its last event. Do not reconnect. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listEvaluations: {
        parameters: {
            query?: {
                /** @description Evaluations per page; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of evaluations. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationList"];
                };
            };
        };
    };
    createEvaluation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the request safe to retry: the same key and body return the same call for as long as it is stored. */
                "Idempotency-Key"?: string;
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateEvaluation"];
            };
        };
        responses: {
            /** @description The evaluation was accepted, now or earlier with this Idempotency-Key. Read it until it is over. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationEnvelope"];
                };
            };
        };
    };
    getEvaluation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
                /** @description The evaluation. */
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The evaluation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationEnvelope"];
                };
            };
        };
    };
    cancelEvaluation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
                /** @description The evaluation. */
                evaluation_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The evaluation. Read it until it is `cancelled`. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluationEnvelope"];
                };
            };
        };
    };
    getScenarios: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The scenarios. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scenarios"];
                };
            };
        };
    };
    saveScenarios: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The agent. */
                agent_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveScenarios"];
            };
        };
        responses: {
            /** @description The scenarios as saved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Scenarios"];
                };
            };
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountEnvelope"];
                };
            };
        };
    };
    getCallingPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The policy in force. Version 0 has no rule. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallingPolicyEnvelope"];
                };
            };
        };
    };
    updateCallingPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCallingPolicy"];
            };
        };
        responses: {
            /** @description The policy, which is in force. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallingPolicyEnvelope"];
                };
            };
        };
    };
    listCallingPolicyVersions: {
        parameters: {
            query?: {
                /** @description Versions per page; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of versions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallingPolicyVersions"];
                };
            };
        };
    };
    checkCallingPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckCallingPolicy"];
            };
        };
        responses: {
            /** @description The verdict, with what it rests on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallingPolicyCheck"];
                };
            };
        };
    };
    listLedger: {
        parameters: {
            query?: {
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
                /** @description Entries per page; default 50. */
                limit?: number;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LedgerPage"];
                };
            };
        };
    };
    listPhoneNumbers: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The numbers. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PhoneNumberList"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description The new key. Keep `value`: it cannot be read again. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The key. */
                key_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The revoked key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyEnvelope"];
                };
            };
        };
    };
    listCredentials: {
        parameters: {
            query?: {
                /** @description Credentials per page; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of credentials, without their keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialList"];
                };
            };
        };
    };
    createCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCredential"];
            };
        };
        responses: {
            /** @description The credential, without its key. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialEnvelope"];
                };
            };
        };
    };
    deleteCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The credential. */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The credential was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The credential. */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCredential"];
            };
        };
        responses: {
            /** @description The credential, without its key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialEnvelope"];
                };
            };
        };
    };
    rotateCredential: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The credential. */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateCredential"];
            };
        };
        responses: {
            /** @description The credential, without its key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialEnvelope"];
                };
            };
        };
    };
    checkCredential: {
        parameters: {
            query?: {
                /** @description Also ask whether the provider has this model, and open a session with it if it is one of speech to speech. Other providers without a list of models ignore it. */
                model?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The credential. */
                credential_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the check found, and the credential. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CheckedCredential"];
                };
            };
        };
    };
    listSecrets: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secrets, without their values. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretList"];
                };
            };
        };
    };
    setSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The secret’s name. */
                secret_name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetSecret"];
            };
        };
        responses: {
            /** @description The secret, without its value. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretEnvelope"];
                };
            };
        };
    };
    deleteSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The secret’s name. */
                secret_name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoints. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointList"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint and its secret. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookEndpoint"];
                };
            };
        };
    };
    getWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The endpoint. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointEnvelope"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The endpoint. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint was deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The endpoint. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhookEndpoint"];
            };
        };
        responses: {
            /** @description The endpoint. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointEnvelope"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The endpoint. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RotateWebhookSecret"];
            };
        };
        responses: {
            /** @description The new secret. No other response contains it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RotatedWebhookSecret"];
                };
            };
        };
    };
    testWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The endpoint. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestWebhook"];
            };
        };
        responses: {
            /** @description The message. It is sent within about a second. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookMessageEnvelope"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only deliveries in this state. */
                state?: "pending" | "delivered" | "failed" | "dropped";
                /** @description Only messages of this type. */
                type?: "call.scheduled" | "call.queued" | "call.dialing" | "call.ringing" | "call.answered" | "call.answered_by" | "call.opted_out" | "call.ended" | "call.recording_ready" | "call.analyzed" | "campaign.started" | "campaign.paused" | "campaign.resumed" | "campaign.completed" | "campaign.cancelled" | "webhook.endpoint_disabled" | "webhook.test";
                /** @description Only messages about this call. */
                call_id?: string;
                /** @description Deliveries per page; default 20. */
                limit?: number;
                /** @description `next_cursor` of the previous page, unchanged. */
                cursor?: string;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The endpoint. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryList"];
                };
            };
        };
    };
    getWebhookMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The message. `webhook-id` has it behind `msg_`, which may stay. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message and its deliveries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookMessageDetail"];
                };
            };
        };
    };
    resendWebhookMessage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The message. `webhook-id` has it behind `msg_`, which may stay. */
                message_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResendWebhook"];
            };
        };
        responses: {
            /** @description The delivery. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryEnvelope"];
                };
            };
        };
    };
    createWebhookReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The endpoint. */
                endpoint_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookReplay"];
            };
        };
        responses: {
            /** @description The replay, which goes on in the background. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayEnvelope"];
                };
            };
        };
    };
    getWebhookReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The endpoint. */
                endpoint_id: string;
                /** @description The replay. */
                replay_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayEnvelope"];
                };
            };
        };
    };
    cancelWebhookReplay: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The endpoint. */
                endpoint_id: string;
                /** @description The replay. */
                replay_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The replay. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookReplayEnvelope"];
                };
            };
        };
    };
    getPerCallWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description When it was made. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PerCallWebhookSecret"];
                };
            };
        };
    };
    makePerCallWebhookSecret: {
        parameters: {
            query?: {
                /** @description How long both secrets sign; default 24. 0: the old one ends at once. */
                overlap_hours?: number;
            };
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The secret. No other response contains it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MadePerCallWebhookSecret"];
                };
            };
        };
    };
    createWebhookListener: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookListener"];
            };
        };
        responses: {
            /** @description The listener, and the secret that signs its messages. No other response contains it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhookListener"];
                };
            };
        };
    };
    deleteWebhookListener: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The listener. */
                listener_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The listener has ended. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    streamWebhookListener: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The listener. */
                listener_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    reportWebhookResult: {
        parameters: {
            query?: never;
            header?: {
                /** @description Identifies the request in the service’s log. Generated if absent. */
                "X-Request-Id"?: components["parameters"]["RequestId"];
            };
            path: {
                /** @description The listener. */
                listener_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookResult"];
            };
        };
        responses: {
            /** @description The result was stored. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The process runs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
    getReadiness: {
        parameters: {
            query?: {
                /** @description `ignore`: 200 from the end of the start until the process ends, whatever the stores do. For load balancers. */
                stores?: "ignore";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Calls can be created. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
        };
    };
}
