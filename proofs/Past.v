(** The past formula of every template, as the generator composes it, is true
    at the last position exactly when the requirement holds. *)

From Coq Require Import Arith Lia Classical.
From Shall Require Import Definitions Runs Operators.

(** * The formulas *)

Definition mode := Var MODE.
Definition cond := Var COND.
Definition stop := Var STOP.

Definition start := Z Bot.
Definition rise (p : form) := And p (Z (Not p)).
(** The first position after a run of the mode. *)
Definition left := And (Not mode) (Y mode).

(** Now in scope. *)
Definition past_scope (s : scope) : form :=
  match s with
  | Null => Top
  | In => mode
  | NotIn | OnlyIn => Not mode
  | Before => H_ all (Not mode)
  | After => O_ all left
  | OnlyBefore => O_ all mode
  | OnlyAfter => H_ all (Not left)
  end.

(** The first position of an interval. *)
Definition past_first (s : scope) : form :=
  match s with
  | Null | OnlyAfter => start
  | Before => And (Not mode) start
  | _ => rise (past_scope s)
  end.

(** An interval can end before the trace. *)
Definition closes (s : scope) : bool :=
  match s with Null | After | OnlyBefore => false | _ => true end.

Definition past_trigger (s : scope) (c : condition) : form :=
  match c with
  | NoCondition => past_first s
  | Holding => And (past_scope s) cond
  | Regular => rise (And (past_scope s) cond)
  end.

(** Triggered now or before, in this interval. *)
Definition past_armed (s : scope) (c : condition) : form :=
  match c with
  | NoCondition => past_scope s
  | Holding | Regular => S_ all (past_scope s) (And (past_scope s) cond)
  end.

Section Formulas.
Variables (s t armed : form) (closing : bool).

Definition always (p q : form) := H_ all (Imp p q).
(** Triggered, and no response since. *)
Definition owed (r : form) := S_ all (And s (Not r)) (And t (Not r)).
Definition triggered_within (n : num) := And armed (O_ (within n) t).
(** Triggered n + 1 steps ago, in this interval. *)
Definition triggered_after (n : num) := And (O_ (exactly (succ n)) t) (H_ (within n) s).
Definition not_at_end (bad : form) :=
  if closing then And (always (Not s) (Z (Not bad))) (Not bad) else Not bad.

Definition past_met (w : timing) (r : form) : form :=
  match w with
  | Immediately => always t r
  | Next => always (And s (Y t)) r
  | Always => always armed r
  | Never => Bot
  | Eventually => not_at_end (owed r)
  | Finally => not_at_end (And armed (Not r))
  | Within n => always (O_ (exactly n) t) (O_ (within n) (Or r (Not s)))
  | For n => always (triggered_within n) r
  | AfterSteps n => H_ all (And (Imp (triggered_within n) (Not r)) (Imp (triggered_after n) r))
  | Until => always (S_ all (And s (Not stop)) (And t (Not stop))) r
  | BeforeStop => H_ all (Not (And s (And stop (Or t (Y (owed r))))))
  end.

Definition past_avoided (n : num) : form :=
  always (triggered_after n) (Or (O_ (Bound (K 1) (Some (succ n))) (Var RES)) (Not (Var RES))).

Definition past_demand (d : demand) : form :=
  match d with Meet w b => past_met w (response b) | Avoid n => past_avoided n end.
End Formulas.

Definition past_formula (s : scope) (c : condition) (w : timing) : form :=
  past_demand (past_scope s) (past_trigger s c) (past_armed s c) (closes s) (demanded s w).

(** * Timings *)

Section Timings.
Variables (m n : nat) (at_i : nat -> atom -> Prop) (s t armed : form) (closing : bool).
Let tr := Trace (Some n) at_i.
Notation sem := (sem m tr).
Hypothesis trigger_in_scope : forall i, sem t i -> sem s i.
Hypothesis armed_is : forall i, sem armed i <-> exists j, j <= i /\ sem t j /\ forall k, j <= k <= i -> sem s k.
Hypothesis not_closing : closing = false -> forall i j, sem s i -> i <= j -> sem s j.

Notation core d := (core tr (sem s) (sem t) d).

Lemma end_exists i : i <= n -> sem t i -> exists h, i <= h <= n /\ run_end tr (sem s) i (Some h).
Proof.
  intros Hi Ht. destruct (run_end_exists tr (sem s) i) as [[h|] Hr]; auto.
  - exists h. split; [| assumption]. pose proof Hr as [_ [H2 [_ [H4 | [H4 _]]]]]; simpl in *; [injection H4; lia |].
    unfold inside in H4; simpl in H4. lia.
  - destruct Hr as [_ [_ [_ He]]]. discriminate.
Qed.

(** In a finite trace every run has a last position. *)
Lemma end_some i hi : run_end tr (sem s) i hi -> exists h, hi = Some h /\ i <= h <= n /\ (forall k, i <= k <= h -> sem s k) /\ (h = n \/ h < n /\ ~ sem s (h + 1)).
Proof.
  intros [H1 [H2 [H3 H4]]]. destruct hi as [h|]; [| discriminate]. exists h. split; [reflexivity |]. simpl in *.
  assert (h = n \/ h < n /\ ~ sem s (h + 1)) as Hh.
  { destruct H4 as [H4 | [H4 H5]]; [left; congruence | right]. unfold inside in H4. simpl in H4. split; [lia | assumption]. }
  split; [lia |]. split; [| assumption]. intros k Hk. apply H3; lia.
Qed.

Lemma reaches i h k : run_end tr (sem s) i (Some h) -> k <= n -> (forall j, i <= j <= k -> sem s j) -> k <= h.
Proof. intros Hr Hk. apply (run_end_ge tr (sem s) i); auto. Qed.

Lemma since_is p q i : sem (S_ all p q) i <-> exists j, j <= i /\ sem q j /\ forall k, j < k <= i -> sem p k.
Proof. apply sem_S. Qed.

Lemma owed_is r i : sem (owed s t r) i <-> exists j, j <= i /\ sem t j /\ forall k, j <= k <= i -> sem s k /\ ~ sem r k.
Proof.
  unfold owed. rewrite since_is. split.
  - intros [j [Hj [[H1 H2] H3]]]. exists j. split; [assumption | split; [assumption |]]. intros k Hk.
    destruct (Nat.eq_dec k j) as [->|]; [auto |]. apply H3. lia.
  - intros [j [Hj [H1 H2]]]. exists j. split; [assumption | split].
    + split; [assumption | apply H2; lia].
    + intros k Hk. apply H2. lia.
Qed.

Lemma always_is p q : sem (always p q) n <-> forall i, i <= n -> sem p i -> sem q i.
Proof. unfold always. rewrite sem_H. reflexivity. Qed.

(** The last positions of intervals. *)
Definition at_end i := sem s i /\ (i = n \/ i < n /\ ~ sem s (i + 1)).

Lemma not_at_end_is bad : (forall i, sem bad i -> sem s i) ->
  (sem (not_at_end s closing bad) n <-> forall i, i <= n -> at_end i -> ~ sem bad i).
Proof.
  intros Hbad. unfold not_at_end, at_end. destruct closing.
  - cbn [Definitions.sem]. fold (sem bad n). rewrite always_is. split.
    + intros [H1 H2] i Hi [Hs [-> | [Hlt Hn]]]; [assumption |].
      specialize (H1 (i + 1)). rewrite sem_Z in H1. replace (i + 1 - 1) with i in H1 by lia.
      apply H1; [lia | exact Hn | lia].
    + intros Hall. split.
      * intros i Hi Hns. apply sem_Z. intros H1 Hb. apply (Hall (i - 1)); auto; [lia |]. split; [auto |].
        right. split; [lia |]. replace (i - 1 + 1) with i by lia. exact Hns.
      * intros Hb. apply (Hall n); auto.
  - cbn [Definitions.sem]. split.
    + intros Hn i Hi [Hs [-> | [Hlt Hns]]]; [assumption |]. exfalso. apply Hns. apply (not_closing eq_refl i); auto. lia.
    + intros Hall Hb. apply (Hall n); auto.
Qed.

Lemma at_end_of i h : run_end tr (sem s) i (Some h) -> at_end h /\ h <= n.
Proof.
  intros Hr. apply end_some in Hr. destruct Hr as [h' [E [Hh [Hs He]]]]. injection E as <-.
  split; [split; [apply Hs; lia | assumption] | lia].
Qed.

Lemma run_end_at i h : i <= h <= n -> (forall k, i <= k <= h -> sem s k) -> at_end h -> run_end tr (sem s) i (Some h).
Proof.
  intros Hh Hs [_ He]. repeat split.
  - unfold inside; simpl; lia.
  - simpl; lia.
  - intros k Hk Hu. simpl in Hu. apply Hs. lia.
  - destruct He as [-> | [Hlt Hn]]; [left; reflexivity | right]. split; [unfold inside; simpl; lia | assumption].
Qed.

Variable r : form.

Lemma immediately_met : core (met m tr Immediately (sem r)) <-> sem (past_met s t armed closing Immediately r) n.
Proof.
  unfold past_met. rewrite always_is. unfold Runs.core. simpl met. split.
  - intros Hc i Hi Ht. destruct (end_exists i) as [h [_ Hr]]; auto. eauto.
  - intros Hf i hi Ht [Hi _]. auto.
Qed.

Lemma next_met : core (met m tr Next (sem r)) <-> sem (past_met s t armed closing Next r) n.
Proof.
  unfold past_met. rewrite always_is. unfold Runs.core. simpl met. split.
  - intros Hc i Hi [Hs Hy]. change (O_ one_step t) with (Y t) in Hy. apply sem_Y in Hy. destruct Hy as [H1 Ht].
    destruct (end_exists (i - 1)) as [h [Hh Hr]]; auto; [lia |].
    destruct (Hc _ _ Ht Hr) as [Hn | Hrs]; [| replace (i - 1 + 1) with i in Hrs by lia; assumption].
    exfalso. apply Hn. simpl. replace (i - 1 + 1) with i by lia. apply (reaches _ _ i Hr); [assumption |].
    intros j Hj. assert (j = i - 1 \/ j = i) as [-> | ->] by lia; auto.
  - intros Hf i hi Ht Hr. apply end_some in Hr. destruct Hr as [h [-> [Hh [Hs _]]]]. simpl.
    destruct (le_lt_dec (i + 1) h); [right | left; lia]. apply Hf; [lia |]. split; [apply Hs; lia |].
    apply sem_Y. replace (i + 1 - 1) with i by lia. split; [lia | assumption].
Qed.

Lemma always_met : core (met m tr Always (sem r)) <-> sem (past_met s t armed closing Always r) n.
Proof.
  unfold past_met. rewrite always_is. unfold Runs.core. simpl met. split.
  - intros Hc i Hi Ha. apply armed_is in Ha. destruct Ha as [j [Hj [Ht Hs]]].
    destruct (end_exists j) as [h [Hh Hr]]; auto; [lia |]. apply (Hc _ _ Ht Hr). split; [assumption |].
    simpl. apply (reaches _ _ i Hr); auto.
  - intros Hf i hi Ht Hr k [Hk Hu]. apply end_some in Hr. destruct Hr as [h [-> [Hh [Hs _]]]]. simpl in Hu.
    apply Hf; [lia |]. apply armed_is. exists i. repeat split; auto. intros; apply Hs; lia.
Qed.

Lemma eventually_met : core (met m tr Eventually (sem r)) <-> sem (past_met s t armed closing Eventually r) n.
Proof.
  unfold past_met. rewrite not_at_end_is.
  2: { intros i Hi. apply owed_is in Hi. destruct Hi as [j [Hj [_ Hk]]]. apply Hk. lia. }
  unfold Runs.core. simpl met. split.
  - intros Hc h Hh He Ho. apply owed_is in Ho. destruct Ho as [j [Hj [Ht Hk]]].
    destruct (Hc j (Some h) Ht) as [i [[H1 H2] H3]].
    + apply run_end_at; auto. intros; apply Hk; assumption.
    + simpl in H2. apply (Hk i); auto.
  - intros Hf i hi Ht Hr. pose proof Hr as Hr'. apply end_some in Hr'. destruct Hr' as [h [-> [Hh [Hs _]]]].
    apply NNPP. intros No. apply at_end_of in Hr. destruct Hr as [He Hhn].
    apply (Hf h Hhn He). apply owed_is. exists i. split; [lia | split; [assumption |]]. intros k Hk.
    split; [apply Hs; lia |]. intros Hrk. apply No. exists k. split; [split; [lia | simpl; lia] | assumption].
Qed.

Lemma finally_met : core (met m tr Finally (sem r)) <-> sem (past_met s t armed closing Finally r) n.
Proof.
  unfold past_met. rewrite not_at_end_is.
  2: { intros i [Hi _]. apply armed_is in Hi. destruct Hi as [j [Hj [_ Hk]]]. apply Hk. lia. }
  unfold Runs.core. simpl met. split.
  - intros Hc h Hh He [Ha Hn]. apply armed_is in Ha. destruct Ha as [j [Hj [Ht Hk]]]. apply Hn.
    apply (Hc j (Some h) Ht). apply run_end_at; auto.
  - intros Hf i hi Ht Hr. pose proof Hr as Hr'. apply end_some in Hr'. destruct Hr' as [h [-> [Hh [Hs _]]]].
    apply NNPP. intros No. apply at_end_of in Hr. destruct Hr as [He Hhn].
    apply (Hf h Hhn He). split; [| assumption]. apply armed_is. exists i. split; [lia | split; [assumption |]]. intros; apply Hs; lia.
Qed.

Lemma within_met d : core (met m tr (Within d) (sem r)) <-> sem (past_met s t armed closing (Within d) r) n.
Proof.
  unfold past_met. rewrite always_is. unfold Runs.core. simpl met. split.
  - intros Hc i Hi Ho. apply sem_O_exactly in Ho. destruct Ho as [Hd Ht]. apply sem_O_within.
    destruct (end_exists (i - val m d)) as [h [Hh Hr]]; auto; [lia |].
    destruct (classic (forall j, i - val m d <= j <= i -> sem s j)) as [Hs | Hns].
    + assert (i <= h) as Hih by (apply (reaches _ _ i Hr); auto).
      destruct (Hc _ _ Ht Hr) as [Hn | [j [Hj Hrj]]]; [simpl in Hn; lia |].
      exists j. split; [lia | left; assumption].
    + apply not_all_ex_not in Hns. destruct Hns as [j Hj]. exists j. apply imply_to_and in Hj. split; [lia | right; apply Hj].
  - intros Hf i hi Ht Hr. apply end_some in Hr. destruct Hr as [h [-> [Hh [Hs _]]]]. simpl.
    destruct (le_lt_dec (i + val m d) h) as [Hle|]; [right | left; lia].
    assert (sem (O_ (within d) (Or r (Not s))) (i + val m d)) as Ho.
    { apply Hf; [lia |]. apply sem_O_exactly. replace (i + val m d - val m d) with i by lia. split; [lia | assumption]. }
    apply sem_O_within in Ho. destruct Ho as [j [Hj [Hrj | Hns]]].
    + exists j. split; [lia | assumption].
    + exfalso. apply Hns. apply Hs. lia.
Qed.

(** In the run of a trigger that is at most d steps old. *)
Lemma triggered_within_is d i :
  sem (triggered_within t armed d) i <-> exists j, j <= i <= j + val m d /\ sem t j /\ forall k, j <= k <= i -> sem s k.
Proof.
  unfold triggered_within. cbn [Definitions.sem]. fold (sem armed i). change (Definitions.sem m tr (O_ (within d) t) i) with (sem (O_ (within d) t) i).
  rewrite armed_is. split.
  - intros [[j [Hj [Ht Hs]]] Ho]. apply sem_O_within in Ho. destruct Ho as [j' [Hj' Ht']].
    destruct (le_lt_dec j j').
    + exists j'. split; [lia | split; [assumption |]]. intros; apply Hs; lia.
    + exists j. split; [lia | split; assumption].
  - intros [j [Hj [Ht Hs]]]. split.
    + exists j. split; [lia | split; assumption].
    + apply sem_O_within. exists j. auto.
Qed.

Lemma triggered_after_is d i :
  sem (triggered_after s t d) i <-> exists j, i = j + val m d + 1 /\ sem t j /\ forall k, j <= k <= i -> sem s k.
Proof.
  unfold triggered_after. cbn [Definitions.sem].
  change (sem (O_ (exactly (succ d)) t) i /\ sem (H_ (within d) s) i <-> exists j, i = j + val m d + 1 /\ sem t j /\ forall k, j <= k <= i -> sem s k).
  rewrite sem_O_exactly, sem_H_within, val_succ. split.
  - intros [[H1 Ht] Hs]. exists (i - (val m d + 1)). split; [lia | split; [assumption |]]. intros k Hk.
    destruct (Nat.eq_dec k (i - (val m d + 1))) as [->|]; [auto |]. apply Hs. lia.
  - intros [j [-> [Ht Hs]]]. split; [split; [lia |] |].
    + replace (j + val m d + 1 - (val m d + 1)) with j by lia. assumption.
    + intros k Hk. apply Hs. lia.
Qed.

Lemma for_met d : core (met m tr (For d) (sem r)) <-> sem (past_met s t armed closing (For d) r) n.
Proof.
  unfold past_met. rewrite always_is. unfold Runs.core. simpl met. split.
  - intros Hc i Hi Ha. apply triggered_within_is in Ha. destruct Ha as [j [Hj [Ht Hs]]].
    destruct (end_exists j) as [h [Hh Hr]]; auto; [lia |]. apply (Hc _ _ Ht Hr); [| lia]. split; [lia |].
    simpl. apply (reaches _ _ i Hr); auto.
  - intros Hf i hi Ht Hr k [Hk Hu] Hd. apply end_some in Hr. destruct Hr as [h [-> [Hh [Hs _]]]]. simpl in Hu.
    apply Hf; [lia |]. apply triggered_within_is. exists i. repeat split; auto. intros; apply Hs; lia.
Qed.

Lemma after_met d : core (met m tr (AfterSteps d) (sem r)) <-> sem (past_met s t armed closing (AfterSteps d) r) n.
Proof.
  unfold past_met. rewrite sem_H. unfold Runs.core. simpl met. split.
  - intros Hc i Hi. split; intros Ha.
    + apply triggered_within_is in Ha. destruct Ha as [j [Hj [Ht Hs]]].
      destruct (end_exists j) as [h [Hh Hr]]; auto; [lia |]. apply (Hc _ _ Ht Hr); [| lia]. split; [lia |].
      simpl. apply (reaches _ _ i Hr); auto.
    + apply triggered_after_is in Ha. destruct Ha as [j [-> [Ht Hs]]].
      destruct (end_exists j) as [h [Hh Hr]]; auto; [lia |]. destruct (Hc _ _ Ht Hr) as [_ [Hn | Hrs]]; [| assumption].
      exfalso. apply Hn. simpl. apply (reaches _ _ _ Hr); auto.
  - intros Hf i hi Ht Hr. apply end_some in Hr. destruct Hr as [h [-> [Hh [Hs _]]]]. split.
    + intros k [Hk Hu] Hd. simpl in Hu. apply (Hf k); [lia |]. apply triggered_within_is. exists i. repeat split; auto. intros; apply Hs; lia.
    + simpl. destruct (le_lt_dec (i + val m d + 1) h); [right | left; lia]. apply Hf; [lia |].
      apply triggered_after_is. exists i. repeat split; auto. intros; apply Hs; lia.
Qed.

Lemma until_met : core (met m tr Until (sem r)) <-> sem (past_met s t armed closing Until r) n.
Proof.
  unfold past_met. rewrite always_is. unfold Runs.core. simpl met. split.
  - intros Hc i Hi Ho. apply since_is in Ho. destruct Ho as [j [Hj [[Ht Hns] Hk]]].
    assert (forall k, j <= k <= i -> sem s k /\ ~ sem stop k) as Hall.
    { intros k Hk'. destruct (Nat.eq_dec k j) as [->|]; [split; [auto | exact Hns] |]. apply Hk. lia. }
    destruct (end_exists j) as [h [Hh Hr]]; auto; [lia |].
    assert (i <= h) as Hih by (apply (reaches _ _ _ Hr); auto; intros; apply Hall; assumption).
    destruct (Hc _ _ Ht Hr) as [[st [[[H1 H2] [H3 H4]] H5]] | [H1 H2]].
    + apply H5. split; [assumption |]. destruct (le_lt_dec st i); [| assumption]. exfalso. apply (Hall st); auto.
    + apply H2. split; [assumption | simpl; assumption].
  - intros Hf i hi Ht Hr. apply end_some in Hr. destruct Hr as [h [-> [Hh [Hs _]]]].
    assert (forall k, i <= k <= h -> (forall j, i <= j <= k -> ~ at_i j STOP) -> sem r k) as Hr.
    { intros k Hk Hno. apply Hf; [lia |]. apply since_is. exists i. split; [lia | split].
      - split; [assumption |]. apply (Hno i). lia.
      - intros j Hj. split; [apply Hs; lia |]. apply (Hno j). lia. }
    destruct (classic (no_stop tr i (Some h))) as [Hno | Hst].
    + right. split; [assumption |]. intros k [Hk Hu]. simpl in Hu. apply Hr; [lia |]. intros j Hj. apply Hno. split; [lia | simpl; lia].
    + left. apply not_all_ex_not in Hst. destruct Hst as [st0 Hst]. apply imply_to_and in Hst. destruct Hst as [Ha Hst].
      apply NNPP in Hst.
      destruct (least (fun k => ahead i (Some h) k /\ at_i k STOP) st0) as [st [_ [[Hast Hsst] Hmin]]]; [auto |].
      exists st. assert (forall k, i <= k < st -> ~ at_i k STOP) as Hno.
      { intros k Hk Hks. apply (Hmin k); [lia |]. split; [| assumption]. destruct Hast. simpl in *. split; simpl; lia. }
      split; [repeat split; auto; apply Hast |].
      intros k Hk. destruct Hast as [_ Hu]. simpl in Hu. apply Hr; [lia |]. intros j Hj. apply Hno. lia.
Qed.

Lemma before_met : core (met m tr BeforeStop (sem r)) <-> sem (past_met s t armed closing BeforeStop r) n.
Proof.
  unfold past_met. rewrite sem_H. unfold Runs.core. simpl met. split.
  - intros Hc i Hi [Hs [Hst Hor]].
    assert (exists j, j <= i /\ sem t j /\ (forall k, j <= k <= i -> sem s k) /\ forall k, j <= k < i -> ~ sem r k) as [j [Hj [Ht [Hsk Hrk]]]].
    { destruct Hor as [Ht | Ho].
      - exists i. repeat split; auto; [| intros; lia]. intros k Hk. replace k with i by lia. assumption.
      - apply sem_Y in Ho. destruct Ho as [H1 Ho]. apply owed_is in Ho. destruct Ho as [j [Hj [Ht Hk]]].
        exists j. repeat split; [lia | assumption | |].
        + intros k Hk'. destruct (Nat.eq_dec k i) as [->|]; [assumption |]. apply Hk. lia.
        + intros k Hk'. apply Hk. lia. }
    destruct (end_exists j) as [h [Hh Hr]]; auto; [lia |].
    assert (i <= h) as Hih by (apply (reaches _ _ _ Hr); auto).
    destruct (Hc _ _ Ht Hr) as [Hno | [st [[[H1 H2] [H3 H4]] [k [Hk Hrs]]]]].
    + apply (Hno i); [split; simpl; auto | exact Hst].
    + destruct (le_lt_dec st i).
      * apply (Hrk k); [lia | assumption].
      * apply (H4 i); [lia | exact Hst].
  - intros Hf i hi Ht Hr. apply end_some in Hr. destruct Hr as [h [-> [Hh [Hs _]]]].
    destruct (classic (no_stop tr i (Some h))) as [Hno | Hst]; [left; assumption | right].
    apply not_all_ex_not in Hst. destruct Hst as [st0 Hst]. apply imply_to_and in Hst. destruct Hst as [Ha Hst].
    apply NNPP in Hst.
    destruct (least (fun k => ahead i (Some h) k /\ at_i k STOP) st0) as [st [_ [[Hast Hsst] Hmin]]]; [auto |].
    exists st. assert (forall k, i <= k < st -> ~ at_i k STOP) as Hno.
    { intros k Hk Hks. apply (Hmin k); [lia |]. split; [| assumption]. destruct Hast. simpl in *. split; simpl; lia. }
    split; [repeat split; auto; apply Hast |].
    destruct Hast as [Hi Hu]. simpl in Hu. apply NNPP. intros No. apply (Hf st); [lia |].
    split; [apply Hs; lia |]. split; [exact Hsst |].
    destruct (Nat.eq_dec st i) as [->|]; [left; assumption | right].
    apply sem_Y. split; [lia |]. apply owed_is. exists i. split; [lia | split; [assumption |]]. intros k Hk.
    split; [apply Hs; lia |]. intros Hrk. apply No. exists k. split; [lia | assumption].
Qed.

Lemma avoided_met d :
  core (denied m tr (AfterSteps d) (fun i => at_i i RES)) <-> sem (past_avoided s t d) n.
Proof.
  unfold past_avoided. rewrite always_is. unfold Runs.core. simpl denied. split.
  - intros Hc i Hi Ha. apply triggered_after_is in Ha. destruct Ha as [j [-> [Ht Hs]]].
    destruct (end_exists j) as [h [Hh Hr]]; auto; [lia |].
    assert (j + val m d + 1 <= h) as Hih by (apply (reaches _ _ _ Hr); auto).
    destruct (Hc _ _ Ht Hr) as [Hn | [[k [Hk Hrk]] | Hn]].
    + simpl in Hn. lia.
    + left. cbn [Definitions.sem]. exists (j + val m d + 1 - k). replace (j + val m d + 1 - (j + val m d + 1 - k)) with k by lia.
      split; [| split; [lia | exact Hrk]]. unfold window. cbn [low high]. rewrite val_succ. simpl. lia.
    + right. exact Hn.
  - intros Hf i hi Ht Hr. apply end_some in Hr. destruct Hr as [h [-> [Hh [Hs _]]]]. simpl.
    destruct (le_lt_dec (i + val m d + 1) h); [right | left; lia].
    destruct (Hf (i + val m d + 1)) as [Ho | Hn]; [lia | | | right; exact Hn].
    + apply triggered_after_is. exists i. repeat split; auto. intros; apply Hs; lia.
    + left. cbn [Definitions.sem] in Ho. destruct Ho as [k [[Hw1 Hw2] [Hk Hrk]]]. cbn [low high] in *. rewrite val_succ in Hw2. simpl in Hw1.
      exists (i + val m d + 1 - k). split; [lia | exact Hrk].
Qed.
End Timings.

(** Every demand is met by its formula. *)
Lemma demand_met m n at_i s t armed closing d :
  let tr := Trace (Some n) at_i in
  (forall i, sem m tr t i -> sem m tr s i) ->
  (forall i, sem m tr armed i <-> exists j, j <= i /\ sem m tr t j /\ forall k, j <= k <= i -> sem m tr s k) ->
  (closing = false -> forall i j, sem m tr s i -> i <= j -> sem m tr s j) ->
  (forall b, d <> Meet Never b) ->
  (core tr (sem m tr s) (sem m tr t) (granted m tr d) <-> sem m tr (past_demand s t armed closing d) n).
Proof.
  intros tr H1 H2 H3 Hd. destruct d as [w b | d]; [destruct w |]; unfold granted, past_demand.
  - apply immediately_met; assumption.
  - apply next_met; assumption.
  - apply finally_met; assumption.
  - apply always_met; assumption.
  - exfalso. apply (Hd b). reflexivity.
  - apply eventually_met; assumption.
  - apply within_met; assumption.
  - apply for_met; assumption.
  - apply after_met; assumption.
  - apply until_met; assumption.
  - apply before_met; assumption.
  - apply avoided_met; assumption.
Qed.

(** * Scopes and triggers *)

Section Scopes.
Variables (m : nat) (tr : trace).
Notation sem := (sem m tr).

Lemma left_is i : sem left i <-> ~ at_position tr i MODE /\ 1 <= i /\ at_position tr (i - 1) MODE.
Proof.
  unfold left. change (sem (And (Not mode) (Y mode)) i) with (~ at_position tr i MODE /\ sem (Y mode) i).
  rewrite sem_Y. reflexivity.
Qed.

Lemma past_scope_is s i : sem (past_scope s) i <-> scoped tr s i.
Proof.
  destruct s; simpl past_scope; cbn [scoped]; try reflexivity.
  - rewrite sem_H. reflexivity.
  - rewrite sem_O. split; intros [j [Hj Hl]]; exists j; (split; [assumption |]); apply left_is; exact Hl.
  - rewrite sem_O. reflexivity.
  - rewrite sem_H. split; intros Hl j Hj Hlj; apply (Hl j Hj); apply left_is; exact Hlj.
Qed.

Lemma rise_is p i : sem (rise p) i <-> sem p i /\ (i = 0 \/ ~ sem p (i - 1)).
Proof.
  unfold rise. change (sem p i /\ sem (Z (Not p)) i <-> sem p i /\ (i = 0 \/ ~ sem p (i - 1))).
  rewrite sem_Z. cbn [Definitions.sem]. fold (sem p (i - 1)). destruct i; [simpl |].
  - split; [tauto |]. intros [? _]. split; [assumption | lia].
  - split.
    + intros [? Hn]. split; [assumption | right]. apply Hn. lia.
    + intros [? [Hn | Hn]]; [lia |]. tauto.
Qed.

Lemma start_is i : sem start i <-> i = 0.
Proof. unfold start. rewrite sem_Z. cbn [Definitions.sem]. split; [intros; destruct i; [reflexivity | exfalso; lia] | lia]. Qed.

Lemma past_first_is s i : sem (past_first s) i <-> scoped tr s i /\ (i = 0 \/ ~ scoped tr s (i - 1)).
Proof.
  assert (forall s, sem (rise (past_scope s)) i <-> scoped tr s i /\ (i = 0 \/ ~ scoped tr s (i - 1))) as Hrise.
  { intros s0. rewrite rise_is, !past_scope_is. reflexivity. }
  destruct s; unfold past_first; try apply Hrise.
  - rewrite start_is. simpl. tauto.
  - change (~ at_position tr i MODE /\ sem start i <-> scoped tr Before i /\ (i = 0 \/ ~ scoped tr Before (i - 1))).
    rewrite start_is. cbn [scoped]. split.
    + intros [H1 ->]. split; [| auto]. intros j Hj. replace j with 0 by lia. assumption.
    + intros [H1 H2]. split; [apply H1; lia |]. destruct H2 as [|H2]; [assumption | exfalso]. apply H2. intros j Hj. apply H1. lia.
  - rewrite start_is. cbn [scoped]. split.
    + intros ->. split; [| auto]. intros j Hj. lia.
    + intros [H1 [H2 | H2]]; [assumption | exfalso]. apply H2. intros j Hj. apply H1. lia.
Qed.

Lemma past_trigger_is s c i : sem (past_trigger s c) i <-> triggered tr (scoped tr s) c i.
Proof.
  unfold triggered. destruct c; unfold past_trigger.
  - apply past_first_is.
  - rewrite rise_is. cbn [Definitions.sem cond]. fold (sem (past_scope s) i) (sem (past_scope s) (i - 1)).
    rewrite !past_scope_is. tauto.
  - cbn [Definitions.sem cond]. fold (sem (past_scope s) i). rewrite past_scope_is. reflexivity.
Qed.

Lemma past_armed_is s c i :
  sem (past_armed s c) i <-> exists j, j <= i /\ sem (past_trigger s c) j /\ forall k, j <= k <= i -> sem (past_scope s) k.
Proof.
  destruct c; unfold past_armed.
  - rewrite past_scope_is. split.
    + intros Hs. destruct (run_start _ _ Hs) as [lo [H1 [H2 H3]]]. exists lo. split; [assumption | split].
      * apply past_first_is. split; [apply H2; lia | assumption].
      * intros k Hk. apply past_scope_is. apply H2. assumption.
    + intros [j [Hj [_ Hk]]]. apply past_scope_is. apply Hk. lia.
  - rewrite sem_S. cbn [Definitions.sem cond]. split.
    + intros [j [Hj [[Hs Hc] Hk]]].
      (* the first position of this run at which the condition holds without a break up to j *)
      destruct (run_start (fun k => sem (past_scope s) k /\ at_position tr k COND) j) as [lo [H1 [H2 H3]]]; [split; assumption |].
      exists lo. split; [lia | split].
      * unfold past_trigger. rewrite rise_is. split; [apply H2; lia | exact H3].
      * intros k Hk'. destruct (le_lt_dec k j); [apply H2; lia | apply Hk; lia].
    + intros [j [Hj [Ht Hk]]]. unfold past_trigger in Ht. rewrite rise_is in Ht. destruct Ht as [[Hs Hc] _].
      exists j. split; [assumption | split; [split; assumption |]]. intros k Hk'. apply Hk. lia.
  - rewrite sem_S. cbn [Definitions.sem cond past_trigger]. split.
    + intros [j [Hj [[Hs Hc] Hk]]]. exists j. split; [assumption | split; [split; assumption |]].
      intros k Hk'. destruct (Nat.eq_dec k j) as [->|]; [assumption | apply Hk; lia].
    + intros [j [Hj [Ht Hk]]]. exists j. split; [assumption | split; [assumption |]]. intros k Hk'. apply Hk. lia.
Qed.
End Scopes.

(** The past formula of a template says what its definition says. *)
Theorem past_formula_agrees m s c w : past_agrees m s c w (past_formula s c w).
Proof.
  intros at_i n tr. change (holds m s c w tr) with (demands tr s c (fun t hi =>
    if denies s then denied m tr w (fun i => at_i i RES) t hi else met m tr w (fun i => at_i i RES) t hi)).
  rewrite demands_core; [| unfold inside; simpl; lia]. unfold past_formula.
  subst tr. rewrite <- demand_met.
  - apply core_ext.
    + intros i _. apply past_scope_is.
    + intros i _. apply past_trigger_is.
    + intros t hi. apply granted_demanded.
  - intros i Ht. apply past_scope_is. apply past_trigger_is in Ht. apply Ht.
  - intros i. apply past_armed_is.
  - intros Hc i j Hs Hij. apply past_scope_is in Hs. apply past_scope_is.
    destruct s; try discriminate; simpl in *; auto.
    + destruct Hs as [k [Hk Hl]]. exists k. split; [lia | assumption].
    + destruct Hs as [k [Hk Hl]]. exists k. split; [lia | assumption].
  - intros b. apply demanded_not_never.
Qed.
