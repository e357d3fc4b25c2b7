(** Long lines of bits as chains of stages: what `logic::memory` calls
    [Line::Stages] delays a signal exactly as a line of bits does. A stage has
    two bits and two counters, whatever its delay is. *)

From Coq Require Import Arith Lia List Bool.
From Shall Require Import Definitions Monitor.
Import ListNotations.

Section Stages.
Variable way : nat -> bool.

(** The way holds after step a, up to step b. *)
Definition kept (a b : nat) : Prop := forall j, a < j <= b -> way j = true.

(** ** A counter of the steps until a change arrives *)

Section Counter.
Variables (steps : nat) (change : nat -> bool).
Hypothesis some_steps : 1 <= steps.
Hypothesis spaced : forall a b, a < b -> change a = true -> change b = true -> kept a b -> a + steps <= b.

(** Stored before step i; 0 if nothing is on its way. *)
Fixpoint left (i : nat) : nat :=
  match i with
  | 0 => 0
  | S i => if change i then steps else if way i && (0 <? left i) then left i - 1 else 0
  end.

Lemma left_bounded i : left i <= steps.
Proof. clear some_steps spaced. induction i as [|i IH]; simpl; [lia |]. destruct (change i), (way i && (0 <? left i)); lia. Qed.

Lemma left_is i : forall k, 1 <= k <= steps ->
  (left i = k <-> exists a, a < i /\ a + steps + 1 = i + k /\ change a = true /\ kept a (i - 1)).
Proof.
  induction i as [|i IH]; intros k Hk.
  - simpl. split; [lia | intros [a [Ha _]]; lia].
  - cbn [left]. replace (S i - 1) with i by lia. destruct (change i) eqn:Ec.
    + split.
      * intros <-. exists i. split; [lia | split; [lia | split; [assumption | intros j Hj; lia]]].
      * intros [a [Ha [E [Hc Hw]]]]. destruct (Nat.eq_dec a i) as [->|Hne]; [lia |].
        assert (a + steps <= i) by (apply spaced; auto; lia). lia.
    + destruct (way i) eqn:Ew; simpl andb.
      * destruct (Nat.ltb_spec 0 (left i)) as [Hp | Hz].
        -- destruct (Nat.eq_dec k steps) as [->|Hne].
           ++ pose proof (left_bounded i). split; [lia |]. intros [a [Ha [E [Hc _]]]]. assert (a = i) as -> by lia. congruence.
           ++ assert (left i - 1 = k <-> left i = k + 1) as -> by lia. rewrite IH by lia. split.
              ** intros [a [Ha [E [Hc Hw]]]]. exists a. split; [lia | split; [lia | split; [assumption |]]].
                 intros j Hj. destruct (Nat.eq_dec j i) as [->|]; [assumption | apply Hw; lia].
              ** intros [a [Ha [E [Hc Hw]]]]. exists a. assert (a <> i) by congruence.
                 split; [lia | split; [lia | split; [assumption |]]]. intros j Hj. apply Hw. lia.
        -- split; [lia |]. intros [a [Ha [E [Hc Hw]]]]. exfalso. assert (a <> i) by congruence.
           assert (left i = k + 1); [| lia]. apply IH; [lia |]. exists a.
           split; [lia | split; [lia | split; [assumption |]]]. intros j Hj. apply Hw. lia.
      * split; [lia |]. intros [a [Ha [E [Hc Hw]]]]. exfalso. assert (a <> i) by congruence.
        assert (way i = true) by (apply Hw; lia). congruence.
Qed.
End Counter.

(** ** Signals that change seldom *)

Definition before (x : nat -> bool) (i : nat) : bool := match i with 0 => false | S i => x i end.
Definition rises (x : nat -> bool) (i : nat) : bool := x i && negb (way i && before x i).
Definition falls (x : nat -> bool) (i : nat) : bool := way i && before x i && negb (x i).

(** While the way holds, a signal rises and falls at most once in a while. *)
Definition seldom (length : nat) (x : nat -> bool) : Prop :=
  (forall a b, a < b -> rises x a = true -> rises x b = true -> kept a b -> a + length <= b) /\
  (forall a b, a < b -> falls x a = true -> falls x b = true -> kept a b -> a + length <= b).

(** The signal some steps ago, and false if the way has failed since. *)
Definition late (steps : nat) (x : nat -> bool) (y : nat -> bool) : Prop :=
  forall i, y i = true <-> steps <= i /\ x (i - steps) = true /\ kept (i - steps) i.

(** ** A stage *)

Section Stage.
Variables (steps : nat) (x : nat -> bool).

Fixpoint arrived (i : nat) : bool :=
  let shown := match i with 0 => false | S i => arrived i end in
  way i && ((left steps (rises x) i =? 1) || shown && negb (left steps (falls x) i =? 1)).

Theorem stage_is length : 1 <= steps <= length -> seldom length x -> late steps x arrived.
Proof.
  intros Hs [Hrise Hfall] i.
  assert (forall a b, a < b -> rises x a = true -> rises x b = true -> kept a b -> a + steps <= b) as Hr.
  { intros a b H1 H2 H3 H4. specialize (Hrise a b H1 H2 H3 H4). lia. }
  assert (forall a b, a < b -> falls x a = true -> falls x b = true -> kept a b -> a + steps <= b) as Hf.
  { intros a b H1 H2 H3 H4. specialize (Hfall a b H1 H2 H3 H4). lia. }
  induction i as [|i IH].
  - split; [| lia]. simpl. rewrite andb_false_r. discriminate.
  - cbn [arrived]. rewrite andb_true_iff, orb_true_iff, andb_true_iff, negb_true_iff, Nat.eqb_eq, Nat.eqb_neq, IH.
    rewrite (left_is steps (rises x)) by (auto; lia). rewrite (left_is steps (falls x)) by (auto; lia).
    replace (S i - 1) with i by lia. split.
    + intros [Hw [[a [Ha [E [Hc Hk]]]] | [[H1 [H2 H3]] Hn]]].
      * assert (S i - steps = a) as -> by lia. split; [lia | split].
        -- unfold rises in Hc. apply andb_true_iff in Hc. apply Hc.
        -- intros j Hj. destruct (Nat.eq_dec j (S i)) as [->|]; [assumption | apply Hk; lia].
      * assert (kept (S i - steps) (S i)) as Hkept.
        { intros j Hj. destruct (Nat.eq_dec j (S i)) as [->|]; [assumption | apply H3; lia]. }
        split; [lia | split; [| assumption]]. destruct (x (S i - steps)) eqn:Ex; [reflexivity | exfalso].
        apply Hn. exists (S i - steps). split; [lia | split; [lia | split]].
        -- unfold falls. replace (S i - steps) with (S (i - steps)) in * by lia. simpl before. rewrite H2, Ex.
           rewrite (H3 (S (i - steps))) by lia. reflexivity.
        -- intros j Hj. apply Hkept. lia.
    + intros [H1 [H2 H3]]. split; [apply H3; lia |]. set (a := S i - steps) in *.
      destruct (rises x a) eqn:Er.
      * left. exists a. split; [unfold a; lia | split; [unfold a; lia | split; [assumption |]]]. intros j Hj. apply H3. unfold a in *. lia.
      * right. unfold rises in Er. rewrite H2 in Er. simpl in Er. apply negb_false_iff, andb_true_iff in Er. destruct Er as [Ew Eb].
        destruct a as [|b] eqn:Ea; [discriminate |]. simpl in Eb. split.
        -- replace (i - steps) with b by lia. split; [lia | split; [assumption |]].
           intros j Hj. destruct (Nat.eq_dec j (S b)) as [->|]; [assumption | apply H3; lia].
        -- intros [c [Hc [E [Hfc _]]]]. assert (c = S b) as -> by lia. unfold falls in Hfc. rewrite H2 in Hfc.
           rewrite andb_false_r in Hfc. discriminate.
Qed.
End Stage.

(** What comes out of a stage changes as seldom as what goes in. *)
Lemma late_seldom length steps x y : 1 <= steps -> late steps x y -> seldom length x -> seldom length y.
Proof.
  intros Hs Hy [Hrise Hfall].
  assert (forall a, y a = true -> steps <= a /\ x (a - steps) = true /\ kept (a - steps) a) as Hon by (intros a; apply Hy).
  split; intros a b Hab Ha Hb Hk.
  - assert (forall c, rises y c = true -> steps <= c /\ rises x (c - steps) = true /\ kept (c - steps) c) as Hr.
    { intros c Hc. unfold rises in Hc. apply andb_true_iff in Hc. destruct Hc as [Hc Hb']. apply Hon in Hc. destruct Hc as [H1 [H2 H3]].
      split; [assumption | split; [| assumption]]. unfold rises. rewrite H2. simpl. apply negb_true_iff, not_true_iff_false. intros Hw.
      apply andb_true_iff in Hw. destruct Hw as [Hw Hx]. destruct (c - steps) as [|d] eqn:E; [discriminate |]. simpl in Hx.
      apply negb_true_iff, not_true_iff_false in Hb'. apply Hb'. apply andb_true_iff. split; [apply H3; lia |].
      destruct c as [|c]; [lia |]. simpl. apply Hy. replace (c - steps) with d by lia. split; [lia | split; [assumption |]].
      intros j Hj. destruct (Nat.eq_dec j (S d)) as [->|]; [assumption | apply H3; lia]. }
    apply Hr in Ha, Hb. destruct Ha as [A1 [A2 A3]], Hb as [B1 [B2 B3]].
    assert (a - steps + length <= b - steps); [| lia]. apply Hrise; auto; [lia |].
    intros j Hj. destruct (le_lt_dec j a); [apply A3; lia | apply Hk; lia].
  - assert (forall c, falls y c = true -> steps < c /\ falls x (c - steps) = true /\ kept (c - steps) c) as Hf.
    { intros c Hc. unfold falls in Hc. rewrite !andb_true_iff, negb_true_iff in Hc. destruct Hc as [[Hw Hb'] Hn].
      destruct c as [|c]; [discriminate |]. simpl in Hb'. apply Hon in Hb'. destruct Hb' as [H1 [H2 H3]].
      assert (kept (S c - steps) (S c)) as Hkept.
      { intros j Hj. destruct (Nat.eq_dec j (S c)) as [->|]; [assumption | apply H3; lia]. }
      split; [lia | split; [| assumption]]. unfold falls. replace (S c - steps) with (S (c - steps)) in * by lia. simpl before.
      rewrite H2. rewrite (H3 (S (c - steps))) by lia. simpl. apply negb_true_iff, not_true_iff_false. intros Hx.
      apply not_true_iff_false in Hn. apply Hn. apply Hy. replace (S c - steps) with (S (c - steps)) by lia.
      split; [lia | split; assumption]. }
    apply Hf in Ha, Hb. destruct Ha as [A1 [A2 A3]], Hb as [B1 [B2 B3]].
    assert (a - steps + length <= b - steps); [| lia]. apply Hfall; auto; [lia |].
    intros j Hj. destruct (le_lt_dec j a); [apply A3; lia | apply Hk; lia].
Qed.

Lemma late_late s t x y z : late s x y -> late t y z -> late (t + s) x z.
Proof.
  intros Hy Hz i. rewrite (Hz i), (Hy (i - t)). replace (i - (t + s)) with (i - t - s) by lia. split.
  - intros [H1 [[H2 [H3 H4]] H5]]. split; [lia | split; [assumption |]].
    intros j Hj. destruct (le_lt_dec j (i - t)); [apply H4; lia | apply H5; lia].
  - intros [H1 [H2 H3]]. split; [lia | split; [split; [lia | split; [assumption |]] |]]; intros j Hj; apply H3; lia.
Qed.

(** ** A chain of stages *)

Fixpoint chain (parts : list nat) (x : nat -> bool) : nat -> bool :=
  match parts with
  | [] => x
  | part :: parts => chain parts (arrived part x)
  end.

Theorem chain_is length parts : (forall part, List.In part parts -> 1 <= part <= length) -> parts <> [] ->
  forall x, seldom length x -> late (list_sum parts) x (chain parts x).
Proof.
  induction parts as [|part parts IH]; intros Hparts Hne x Hx; [congruence |].
  assert (1 <= part <= length) as Hpart by (apply Hparts; left; reflexivity).
  pose proof (stage_is part x length Hpart Hx) as Hstage. destruct parts as [|next parts].
  - simpl. rewrite Nat.add_0_r. assumption.
  - change (late (part + list_sum (next :: parts)) x (chain (next :: parts) (arrived part x))). rewrite Nat.add_comm.
    apply (late_late part _ x (arrived part x)); [assumption |]. apply IH; [| discriminate |].
    + intros other Hin. apply Hparts. right. assumption.
    + apply (late_seldom length part x); [lia | assumption | assumption].
Qed.
End Stages.

(** The parts as the program chooses them: the length as often as it fits, and
    the rest. *)
Fixpoint parts (fuel rest length : nat) : list nat :=
  match fuel with
  | 0 => []
  | S fuel => match rest with 0 => [] | _ => Nat.min rest length :: parts fuel (rest - Nat.min rest length) length end
  end.

Lemma parts_are fuel : forall rest length, rest <= fuel -> 1 <= length ->
  list_sum (parts fuel rest length) = rest /\ forall part, List.In part (parts fuel rest length) -> 1 <= part <= length.
Proof.
  induction fuel as [|fuel IH]; intros rest length Hf Hl; [simpl; split; [lia | tauto] |].
  destruct rest as [|rest]; [simpl; split; [lia | tauto] |]. cbn [parts]. set (part := Nat.min (S rest) length).
  destruct (IH (S rest - part) length) as [H1 H2]; [unfold part; lia | assumption |]. split.
  - change (part + list_sum (parts fuel (S rest - part) length) = S rest). rewrite H1. unfold part. lia.
  - intros other [<- | Hin]; [unfold part; lia | auto].
Qed.

(** ** What is delayed changes seldom *)

(** The near cell of `way S[lo,hi] target` is `way S[0,n] target`. *)
Lemma near_seldom way target n x : (forall i, x i = true <-> since 0 (Some n) way target i) -> seldom way (n + 2) x.
Proof.
  intros Hx.
  (* A target keeps the signal up for n steps. *)
  assert (forall a b, target a = true -> a <= b <= a + n -> kept way a b -> x b = true) as Hup.
  { intros a b Ht Hb Hk. apply Hx. exists (b - a). split; [lia | split; [simpl; lia | split; [lia | split]]].
    - replace (b - (b - a)) with a by lia. assumption.
    - intros j Hj. apply Hk. lia. }
  (* It rises only at a target. *)
  assert (forall a, rises way x a = true -> target a = true) as Hrise.
  { intros a Ha. unfold rises in Ha. apply andb_true_iff in Ha. destruct Ha as [Ha Hn]. apply Hx in Ha.
    destruct Ha as [k [_ [H1 [H2 [H3 H4]]]]]. simpl in H1. destruct k as [|k]; [rewrite Nat.sub_0_r in H3; assumption | exfalso].
    apply negb_true_iff, not_true_iff_false in Hn. apply Hn. apply andb_true_iff. split.
    - rewrite <- (Nat.sub_0_r a). apply H4. lia.
    - destruct a as [|a]; [lia |]. simpl. apply Hx. exists k. split; [lia | split; [simpl; lia | split; [lia | split]]].
      + replace (a - k) with (S a - S k) by lia. assumption.
      + intros j Hj. replace (a - j) with (S a - S j) by lia. apply H4. lia. }
  (* Before a rise there was a step without the signal. *)
  assert (forall a, rises way x a = true -> 1 <= a -> way a = true -> x (a - 1) = false) as Hoff.
  { intros a Ha H1 Hw. unfold rises in Ha. apply andb_true_iff in Ha. destruct Ha as [_ Hn]. rewrite Hw in Hn. simpl in Hn.
    apply negb_true_iff in Hn. destruct a as [|a]; [lia |]. simpl in *. rewrite Nat.sub_0_r. assumption. }
  split; intros a b Hab Ha Hb Hk.
  - destruct (le_lt_dec (a + (n + 2)) b); [assumption | exfalso].
    assert (x (b - 1) = true) as Hon.
    { apply (Hup a); [auto | lia |]. intros j Hj. apply Hk. lia. }
    rewrite (Hoff b) in Hon; [discriminate | assumption | lia | apply Hk; lia].
  - destruct (le_lt_dec (a + (n + 2)) b); [assumption | exfalso].
    unfold falls in Ha, Hb. rewrite !andb_true_iff, negb_true_iff in Ha, Hb. destruct Ha as [[_ _] Hxa], Hb as [[Hwb Hbb] Hxb].
    destruct b as [|b]; [lia |]. simpl in Hbb. apply Hx in Hbb. destruct Hbb as [k [_ [H1 [H2 [H3 H4]]]]]. simpl in H1.
    (* The target that keeps the signal up is after the first fall, so the signal lasts beyond the second. *)
    destruct (le_lt_dec (b - k) a) as [Hle | Hgt].
    + assert (x a = true) as Hon; [| congruence]. apply (Hup (b - k)); [assumption | lia |].
      intros j Hj. replace j with (b - (b - j)) by lia. apply H4. lia.
    + assert (x (S b) = true) as Hon; [| congruence]. apply (Hup (b - k)); [assumption | lia |].
      intros j Hj. apply Hk. lia.
Qed.

(** A chain of stages says what a line of bits says. *)
Theorem stages_are_bits way target n steps i : 1 <= steps ->
  let near := output (match n with 0 => Now | _ => Recent n end) way target in
  chain way (parts steps steps (n + 2)) near i = delayed steps near way i.
Proof.
  intros Hs near.
  assert (forall i, near i = true <-> since 0 (Some n) way target i) as Hnear.
  { intros j. unfold near. destruct n as [|n]; [apply now_is | apply recent_is; lia]. }
  destruct (parts_are steps steps (n + 2)) as [Hsum Hparts]; [lia | lia |].
  assert (parts steps steps (n + 2) <> []) as Hne.
  { intros E. rewrite E in Hsum. simpl in Hsum. lia. }
  pose proof (chain_is way (n + 2) _ Hparts Hne near (near_seldom way target n near Hnear) i) as Hc.
  rewrite Hsum in Hc. apply eq_true_iff_eq. rewrite Hc, delayed_is. split.
  - intros [H1 [H2 H3]]. split; [assumption | split; [assumption |]]. intros j Hj. apply H3. lia.
  - intros [H1 [H2 H3]]. split; [assumption | split; [assumption |]]. intros j Hj. replace j with (i - (i - j)) by lia. apply H3. lia.
Qed.

(** The counters of a stage are bounded. *)
Theorem stages_are_bounded way x steps i :
  left way steps (rises way x) i <= steps /\ left way steps (falls way x) i <= steps.
Proof. split; apply left_bounded. Qed.
